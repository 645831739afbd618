#include "base/options_model.h"

#include "base/format.h"

#include <algorithm>

namespace losos {

void CommandModel::add_option(std::string_view flag, std::string_view value_name,
                              std::string_view help, Reader reader,
                              std::optional<std::string> otherwise, bool required) {
    m_arguments.push_back({Argument::Kind::option, std::string(flag), std::string(value_name),
                           std::string(help), std::move(reader), std::move(otherwise), required,
                           nullptr});
}

void CommandModel::add_repeated(std::string_view flag, std::string_view value_name,
                                std::string_view help, Reader reader) {
    m_arguments.push_back({Argument::Kind::repeated, std::string(flag), std::string(value_name),
                           std::string(help), std::move(reader), std::nullopt, false, nullptr});
}

void CommandModel::add_switch(std::string_view flag, std::string_view help, bool& target) {
    m_arguments.push_back({Argument::Kind::toggle,
                           std::string(flag),
                           {},
                           std::string(help),
                           {},
                           std::nullopt,
                           false,
                           &target});
}

void CommandModel::add_positional(std::string_view name, std::string_view help, Reader reader,
                                  bool required) {
    m_arguments.push_back({Argument::Kind::positional,
                           std::string(name),
                           {},
                           std::string(help),
                           std::move(reader),
                           std::nullopt,
                           required,
                           nullptr});
}

std::string ToolModel::full_name(std::string_view command) const {
    return command.empty() ? name : format("{} {}", name, command);
}

bool ToolModel::has_command(std::string_view command) const {
    return std::any_of(commands.begin(), commands.end(),
                       [command](const CommandModel& one) { return one.name() == command; });
}

const Argument* ToolModel::find_flag(std::string_view flag) const {
    const auto find_in = [flag](const std::vector<Argument>& arguments) -> const Argument* {
        const auto found =
            std::find_if(arguments.begin(), arguments.end(),
                         [flag](const Argument& one) { return one.is_flag() && one.name == flag; });
        return found == arguments.end() ? nullptr : &*found;
    };
    const Argument* found = find_in(root.arguments());
    for (auto each = commands.begin(); found == nullptr && each != commands.end(); ++each) {
        found = find_in(each->arguments());
    }
    return found;
}

std::vector<const Argument*> ToolModel::arguments_of(const CommandModel& command) const {
    std::vector<const Argument*> all;
    const auto append = [&all](const std::vector<Argument>& arguments) {
        for (const Argument& argument : arguments) {
            all.push_back(&argument);
        }
    };
    append(command.arguments());
    if (&command != &root) {
        append(root.arguments());
    }
    append(common_arguments());
    return all;
}

const std::vector<Argument>& common_arguments() {
    static const std::vector<Argument> arguments = {
        {Argument::Kind::option,
         "--config",
         "FILE",
         "read what the command line leaves out from this file; '' for none",
         {},
         std::nullopt,
         false,
         nullptr},
        {Argument::Kind::toggle,
         "--help",
         {},
         "show this and end",
         {},
         std::nullopt,
         false,
         nullptr},
        {Argument::Kind::toggle,
         "--version",
         {},
         "show the version and end",
         {},
         std::nullopt,
         false,
         nullptr},
    };
    return arguments;
}

} // namespace losos
