#include "base/options.h"

#include "base/file.h"
#include "base/flag_lines.h"
#include "base/format.h"
#include "base/options_completion.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>

namespace losos {
namespace {

constexpr std::size_t k_config_limit = 65536;
constexpr std::string_view k_config = "--config";
constexpr std::string_view k_help = "--help";
constexpr std::string_view k_version = "--version";
constexpr std::string_view k_completion = "--completion";

/// The command line as CLI11 took it apart: the chosen command and the texts of each argument.
struct Line {
    std::string command;
    std::map<std::string, std::vector<std::string>, std::less<>> texts;
    std::vector<std::string> left_over;
    /// The last switch that was given an empty value.
    std::string valued_switch;

    bool has(std::string_view name) const { return texts.find(name) != texts.end(); }
};

Error usage(const ToolModel& tool, std::string_view command, std::string_view cause) {
    return fail(Errc::usage, "{}; see {} --help", cause, tool.full_name(command));
}

void add_arguments(CLI::App& app, const std::vector<Argument>& arguments) {
    for (const Argument& argument : arguments) {
        if (argument.kind == Argument::Kind::toggle) {
            app.add_flag(argument.name)->disable_flag_override();
        } else {
            // Only collected here: a flag given twice or badly is told in our own words.
            app.add_option(argument.name, [](const CLI::results_t&) { return true; })
                ->expected(1)
                ->allow_extra_args(false)
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        }
    }
}

void set_up(CLI::App& app) {
    app.set_help_flag();
    app.allow_extras();
    // With one command chosen, a later word that happens to be a command's name is only a word.
    app.require_subcommand(0, 1);
}

CLI::App& app_for(CLI::App& parent, const std::string& name) {
    for (CLI::App* const child : parent.get_subcommands([](const CLI::App*) { return true; })) {
        if (child->get_name() == name) {
            return *child;
        }
    }
    CLI::App& child = *parent.add_subcommand(name);
    set_up(child);
    add_arguments(child, common_arguments());
    return child;
}

void build_app(CLI::App& app, const ToolModel& tool) {
    set_up(app);
    add_arguments(app, common_arguments());
    add_arguments(app, tool.root.arguments());
    for (const CommandModel& command : tool.commands) {
        const auto blank = command.name().find(' ');
        CLI::App* target = &app_for(app, command.name().substr(0, blank));
        if (blank != std::string::npos) {
            target = &app_for(*target, command.name().substr(blank + 1));
        }
        add_arguments(*target, tool.root.arguments());
        add_arguments(*target, command.arguments());
    }
}

/// What was given to `app` and, below it, to the command that was chosen.
void collect(const CLI::App& app, Line& line) {
    for (const CLI::Option* const option : app.get_options()) {
        if (option->count() > 0) {
            auto& texts = line.texts[option->get_name()];
            const auto& results = option->results();
            texts.insert(texts.end(), results.begin(), results.end());
        }
    }
    for (const CLI::App* const child : app.get_subcommands()) {
        line.command += (line.command.empty() ? "" : " ") + child->get_name();
        collect(*child, line);
    }
}

/// The arguments, last one first as CLI11 wants them.
std::vector<std::string> reversed_arguments(int argc, const char* const* argv) {
    std::vector<std::string> arguments;
    for (int i = 1; i < argc; ++i) {
        std::string argument = argv[i];
        // To CLI11 "--flag=" has no value at all, and it would take the next argument.
        const bool empty_value =
            argument.starts_with("--") && argument.find('=') + 1 == argument.size();
        if (empty_value) {
            argument.pop_back();
        }
        arguments.push_back(std::move(argument));
        if (empty_value) {
            arguments.emplace_back();
        }
    }
    std::reverse(arguments.begin(), arguments.end());
    return arguments;
}

Result<Line> read_line(const ToolModel& tool, int argc, const char* const* argv) {
    CLI::App app(tool.root.purpose(), tool.name);
    build_app(app, tool);
    Line line;
    try {
        app.parse(reversed_arguments(argc, argv));
    } catch (const CLI::ArgumentMismatch& mismatch) {
        collect(app, line);
        const std::string what = mismatch.what();
        const std::string flag = what.substr(0, what.find_first_of(": "));
        // CLI11 names a flag without its dashes in this one case.
        const bool needs_none = what.find("override") != std::string::npos;
        return usage(tool, line.command,
                     needs_none
                         ? format("--{} takes no value", flag.substr(flag.find_first_not_of('-')))
                         : format("{} needs a value", flag));
    } catch (const CLI::ParseError& error) {
        return usage(tool, {}, error.what());
    }
    collect(app, line);
    line.left_over = app.remaining(true);
    for (int i = 1; i < argc; ++i) {
        const std::string_view given = argv[i];
        const auto* const flag =
            given.ends_with('=') ? tool.find_flag(given.substr(0, given.size() - 1)) : nullptr;
        if (flag != nullptr && flag->kind == Argument::Kind::toggle) {
            line.valued_switch = flag->name;
        }
    }
    return line;
}

/// Refuses what no argument took.
Result<void> check_left_over(const ToolModel& tool, const Line& line) {
    if (!line.valued_switch.empty()) {
        return usage(tool, line.command, format("{} takes no value", line.valued_switch));
    }
    for (const std::string& text : line.left_over) {
        if (text == "--") {
            continue;
        }
        if (text.starts_with('-') && text.size() > 1) {
            return usage(tool, line.command,
                         format("{} is no flag of {}", text.substr(0, text.find('=')),
                                tool.full_name(line.command)));
        }
        if (tool.commands.empty() || tool.has_command(line.command)) {
            return usage(tool, line.command, format("\"{}\" is one word too many", text));
        }
        return usage(tool, line.command,
                     format("\"{}\" is no command", tool.full_name(line.command) + ' ' + text));
    }
    return {};
}

/// What a file says about one flag; several values where it holds a list.
struct FlagSetting {
    std::string key;
    std::vector<std::string> values;
};

using FileSettings = std::vector<FlagSetting>;

/// Whether CLI11 left a quote standing because it found no second one. It ends each line at the
/// first '#', also within a text.
bool is_cut_short(const std::string& value) {
    return value.starts_with('"') || value.starts_with('\'');
}

/// The settings of a file as CLI11 reads its TOML. A flag that stands there again has more values,
/// wherever that is; CLI11 sees to it on neighbouring lines alone.
Result<FileSettings> parse_settings(const std::string& text) {
    TRY(check_flag_lines(text));
    std::istringstream lines(text);
    std::vector<CLI::ConfigItem> items;
    try {
        items = CLI::ConfigTOML().from_config(lines);
    } catch (const CLI::Error& error) {
        return Error{Errc::usage, error.what()};
    }
    FileSettings settings;
    for (CLI::ConfigItem& item : items) {
        if (!item.parents.empty() || item.name == "++" || item.name == "--") {
            return fail(Errc::usage, "a table is no flag; each line is: flag = value");
        }
        if (std::any_of(item.inputs.begin(), item.inputs.end(), is_cut_short)) {
            return fail(Errc::usage, "{}: a text ends with a quote on its line, and holds no #",
                        item.name);
        }
        const auto earlier =
            std::find_if(settings.begin(), settings.end(),
                         [&item](const FlagSetting& one) { return one.key == item.name; });
        if (earlier == settings.end()) {
            settings.push_back({std::move(item.name), std::move(item.inputs)});
        } else {
            earlier->values.insert(earlier->values.end(), item.inputs.begin(), item.inputs.end());
        }
    }
    return settings;
}

Result<FileSettings> read_settings(const ToolModel& tool, const std::string& path, bool named) {
    TRY_ASSIGN(const auto text, read_file(path, k_config_limit));
    if (!text) {
        return named ? Result<FileSettings>(fail(Errc::usage, "there is no file {}", path))
                     : FileSettings();
    }
    auto settings = parse_settings(*text);
    if (!settings) {
        return fail(Errc::usage, "{}: {}", path, settings.error().what);
    }
    for (const FlagSetting& setting : *settings) {
        if (tool.find_flag("--" + setting.key) == nullptr) {
            return fail(Errc::usage, "{}: \"{}\" is no flag of {}", path, setting.key, tool.name);
        }
    }
    return settings;
}

/// Reads one argument's texts, wherever they come from, into its variable.
Result<void> take(const Argument& argument, const std::vector<std::string>& texts) {
    if (argument.kind == Argument::Kind::toggle) {
        if (texts.size() != 1 || (texts[0] != "true" && texts[0] != "false")) {
            return fail(Errc::usage, "it is either true or false");
        }
        *argument.target = texts[0] == "true";
        return {};
    }
    if (argument.kind != Argument::Kind::repeated && texts.size() != 1) {
        return fail(Errc::usage, "it takes one value, not {}", texts.size());
    }
    for (const std::string& text : texts) {
        TRY(argument.reader(text));
    }
    return {};
}

/// The value of one argument: the command line's, else the file's, else its default.
Result<void> fill(const ToolModel& tool, const Line& line, const Argument& argument,
                  const std::string& path, const FileSettings& settings) {
    const auto given = line.texts.find(argument.name);
    if (given != line.texts.end()) {
        // Given twice, a switch is still on.
        const auto outcome = argument.kind == Argument::Kind::toggle
                                 ? take(argument, {"true"})
                                 : take(argument, given->second);
        return outcome ? Result<void>()
                       : usage(tool, line.command,
                               format("{}: {}", argument.name, outcome.error().what));
    }
    const auto is_this = [&argument](const FlagSetting& setting) {
        return argument.is_flag() && argument.name.substr(2) == setting.key;
    };
    const auto setting = std::find_if(settings.begin(), settings.end(), is_this);
    if (setting != settings.end()) {
        const auto outcome = take(argument, setting->values);
        return outcome ? Result<void>()
                       : usage(tool, line.command,
                               format("{}: {}: {}", path, setting->key, outcome.error().what));
    }
    if (argument.required) {
        return usage(tool, line.command, format("{} is missing", argument.name));
    }
    if (argument.otherwise) {
        const auto outcome = take(argument, {*argument.otherwise});
        return outcome ? Result<void>()
                       : usage(tool, line.command,
                               format("{}: {}", argument.name, outcome.error().what));
    }
    return {};
}

/// Answers --help and --version; whether it did.
bool answer(const ToolModel& tool, const Line& line) {
    std::string text;
    if (line.has(k_help)) {
        text = render_help(tool, line.command);
    } else if (line.has(k_version)) {
        text = format("{} {}\n", tool.name, LOSOS_VERSION);
    } else {
        return false;
    }
    // Whether that could be written is seen when the tool ends.
    std::fwrite(text.data(), 1, text.size(), stdout);
    return true;
}

} // namespace

struct Options::Impl {
    ToolModel tool;

    Result<const CommandModel*> chosen(const std::string& name) const {
        if (tool.commands.empty()) {
            return &tool.root;
        }
        for (const CommandModel& command : tool.commands) {
            if (command.name() == name) {
                return &command;
            }
        }
        return usage(tool, name,
                     name.empty() ? "a command is missing"
                                  : format("\"{}\" needs one more word", name));
    }
};

Options::Options(std::string_view tool, std::string_view purpose, std::string config_directory)
    : m_impl(std::make_unique<Impl>(Impl{
          ToolModel{std::string(tool),
                    config_directory.empty() ? "" : format("{}/{}.toml", config_directory, tool),
                    CommandModel({}, purpose),
                    {}}})) {}

Options::~Options() = default;

Command& Options::root() {
    return m_impl->tool.root;
}

Command& Options::command(std::string_view name, std::string_view purpose) {
    return m_impl->tool.commands.emplace_back(name, purpose);
}

Result<Options::Chosen> Options::parse(int argc, const char* const* argv) {
    const ToolModel& tool = m_impl->tool;
    if (argc == 3 && argv[1] == k_completion) {
        // Asked when the tool is built, not by people: help does not name it.
        const auto text = render_completion(tool, argv[2]);
        std::fputs(text.value_or("").c_str(), stdout);
        return text ? Result<Chosen>(Chosen{{}, true})
                    : usage(tool, {}, format("{}: it is bash, zsh or fish", k_completion));
    }
    TRY_ASSIGN(const Line line, read_line(tool, argc, argv));
    if (answer(tool, line)) {
        return Chosen{line.command, true};
    }
    TRY(check_left_over(tool, line));
    TRY_ASSIGN(const CommandModel* const command, m_impl->chosen(line.command));

    std::string path = tool.config_file;
    const bool named = line.has(k_config);
    if (named) {
        const auto& texts = line.texts.find(k_config)->second;
        if (texts.size() != 1) {
            return usage(tool, line.command, "--config: it takes one value, not more");
        }
        path = texts[0];
    }
    FileSettings settings;
    if (!path.empty()) {
        auto read = read_settings(tool, path, named);
        if (!read) {
            // No help tells how a file is read that its owner does not let be read.
            return read.error().code == Errc::usage ? usage(tool, line.command, read.error().what)
                                                    : Error{Errc::usage, read.error().what};
        }
        settings = *std::move(read);
    }
    for (const Argument* const argument : tool.arguments_of(*command)) {
        if (argument->is_bound()) {
            TRY(fill(tool, line, *argument, path, settings));
        }
    }
    return Chosen{line.command, false};
}

Result<std::string> parse_path(std::string_view text) {
    if (text.empty() || text.find('\0') != std::string_view::npos) {
        return fail(Errc::usage, "a path is not empty");
    }
    return std::string(text);
}

} // namespace losos
