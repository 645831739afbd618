// The one place that touches CLI11: the command line of a tool, its subcommands, and the file
// <tool>.toml whose keys are the flags' names. Every default is a text that goes through
// the same parser as what a user types, so that no default is written twice.
#pragma once

#include "base/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// The arguments of one command: flags bound to variables of the caller.
class Command {
public:
    /// Reads one argument's text into its variable.
    using Reader = std::function<Result<void>(std::string_view)>;

    virtual ~Command() = default;

    /// `--flag VALUE`, at most once; `otherwise`, if given, is read when the flag is not. Every
    /// flag is named with its dashes.
    virtual void add_option(std::string_view flag, std::string_view value_name,
                            std::string_view help, Reader reader,
                            std::optional<std::string> otherwise, bool required) = 0;
    /// `--flag VALUE`, any number of times.
    virtual void add_repeated(std::string_view flag, std::string_view value_name,
                              std::string_view help, Reader reader) = 0;
    /// `--flag`; true or false in the file. `target` stays as it is when neither says anything.
    virtual void add_switch(std::string_view flag, std::string_view help, bool& target) = 0;
    /// A word that stands without a flag.
    virtual void add_positional(std::string_view name, std::string_view help, Reader reader,
                                bool required) = 0;

    /// A flag with a default.
    template <class T, class Parse>
    void value(std::string_view flag, std::string_view value_name, std::string_view help, T& target,
               Parse parse, std::string otherwise) {
        add_option(flag, value_name, help, reader_into(target, parse), std::move(otherwise), false);
    }
    /// A flag that must be given.
    template <class T, class Parse>
    void required(std::string_view flag, std::string_view value_name, std::string_view help,
                  std::optional<T>& target, Parse parse) {
        add_option(flag, value_name, help, reader_into(target, parse), std::nullopt, true);
    }
    /// A flag that turns something on when it is given.
    template <class T, class Parse>
    void optional(std::string_view flag, std::string_view value_name, std::string_view help,
                  std::optional<T>& target, Parse parse) {
        add_option(flag, value_name, help, reader_into(target, parse), std::nullopt, false);
    }
    /// A flag that may be given more than once.
    template <class T, class Parse>
    void repeated(std::string_view flag, std::string_view value_name, std::string_view help,
                  std::vector<T>& target, Parse parse) {
        add_repeated(flag, value_name, help,
                     [&target, parse](std::string_view text) -> Result<void> {
                         TRY_ASSIGN(auto parsed, parse(text));
                         target.push_back(std::move(parsed));
                         return {};
                     });
    }
    /// A word without a flag.
    template <class T, class Parse>
    void positional(std::string_view name, std::string_view help, std::optional<T>& target,
                    Parse parse, bool required) {
        add_positional(name, help, reader_into(target, parse), required);
    }

private:
    template <class T, class Parse>
    static Reader reader_into(T& target, Parse parse) {
        return [&target, parse](std::string_view text) -> Result<void> {
            TRY_ASSIGN(target, parse(text));
            return {};
        };
    }
};

/// Text as it is; fails when it is empty. For paths.
Result<std::string> parse_path(std::string_view text);

/// A tool's command line. A tool without subcommands uses root() alone.
class Options {
public:
    /// The tool's flags may also stand in `config_directory`/<tool>.toml; in none by default if
    /// that is empty. --config, --help and --version are added to every command.
    Options(std::string_view tool, std::string_view purpose, std::string config_directory);
    Options(const Options&) = delete;
    Options& operator=(const Options&) = delete;
    ~Options();

    /// The tool's own flags, for a tool without subcommands, or those all its subcommands share.
    Command& root();
    /// Adds a subcommand; `name` may be two words ("noise keygen").
    Command& command(std::string_view name, std::string_view purpose);

    /// What was asked for.
    struct Chosen {
        /// The subcommand's full name; empty for a tool without any.
        std::string command;
        /// True when --help or --version was answered on standard output and the tool is done.
        bool done = false;
    };

    /// Reads the command line, then the configuration file for what the command line left out.
    /// Fails with Errc::usage and one sentence.
    Result<Chosen> parse(int argc, const char* const* argv);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace losos
