// What a tool's commands and their arguments are, as options.cc reads them, options_help.cc shows
// them and options_completion.cc lets shells complete them. Private to these three.
#pragma once

#include "base/options.h"

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace losos {

/// One flag or word of a command.
struct Argument {
    enum class Kind { option, repeated, toggle, positional };

    Kind kind = Kind::option;
    /// With its dashes, if it is a flag.
    std::string name;
    std::string value_name;
    std::string help;
    Command::Reader reader;
    std::optional<std::string> otherwise;
    bool required = false;
    /// Of a toggle.
    bool* target = nullptr;

    bool is_flag() const { return kind != Kind::positional; }
    /// Whether it has a variable of the tool's to go to; --config, --help and --version have none.
    bool is_bound() const { return reader || target != nullptr; }
};

/// A command and its arguments; the root's name is empty.
class CommandModel final : public Command {
public:
    CommandModel(std::string_view name, std::string_view purpose)
        : m_name(name), m_purpose(purpose) {}

    const std::string& name() const { return m_name; }
    const std::string& purpose() const { return m_purpose; }
    const std::vector<Argument>& arguments() const { return m_arguments; }

    void add_option(std::string_view flag, std::string_view value_name, std::string_view help,
                    Reader reader, std::optional<std::string> otherwise, bool required) override;
    void add_repeated(std::string_view flag, std::string_view value_name, std::string_view help,
                      Reader reader) override;
    void add_switch(std::string_view flag, std::string_view help, bool& target) override;
    void add_positional(std::string_view name, std::string_view help, Reader reader,
                        bool required) override;

private:
    std::string m_name;
    std::string m_purpose;
    std::vector<Argument> m_arguments;
};

/// A whole tool. Commands keep their place in memory: callers hold references.
struct ToolModel {
    std::string name;
    /// Where its flags may stand; empty for nowhere.
    std::string config_file;
    CommandModel root;
    std::list<CommandModel> commands;

    /// The tool's name and the command's.
    std::string full_name(std::string_view command) const;
    /// The root's arguments and the command's, and the three every command has.
    std::vector<const Argument*> arguments_of(const CommandModel& command) const;
    bool has_command(std::string_view command) const;
    /// The first flag of that name, with its dashes, of the root or a command; nullptr for none.
    const Argument* find_flag(std::string_view flag) const;
};

/// --config, --help and --version.
const std::vector<Argument>& common_arguments();

/// The help of one command; of the tool or of a group of commands when `command` is no command's
/// whole name.
std::string render_help(const ToolModel& tool, std::string_view command);

} // namespace losos
