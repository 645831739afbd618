#include "base/options_model.h"

#include "base/format.h"

#include <algorithm>

namespace losos {
namespace {

constexpr std::size_t k_width = 80;
constexpr std::size_t k_indent = 2;
constexpr std::size_t k_gap = 2;
constexpr std::size_t k_widest_left = 30;

struct Row {
    std::string left;
    std::string right;
};

/// `text` broken at blanks so that lines end before the width; further lines start at `column`,
/// where the first one is taken to start.
void append_wrapped(std::string& result, std::string_view text, std::size_t column) {
    std::size_t at = column;
    for (bool first = true; !text.empty(); first = false) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        if (!first && at + 1 + word.size() > k_width) {
            result += '\n';
            result.append(column, ' ');
            at = column;
        } else if (!first) {
            result += ' ';
            ++at;
        }
        result += word;
        at += word.size();
    }
    result += '\n';
}

std::string render_rows(std::string_view title, const std::vector<Row>& rows) {
    if (rows.empty()) {
        return {};
    }
    std::size_t widest = 0;
    for (const Row& row : rows) {
        widest = std::max(widest, row.left.size() <= k_widest_left ? row.left.size() : 0);
    }
    const std::size_t column = k_indent + widest + k_gap;
    std::string result = format("\n{}:\n", title);
    for (const Row& row : rows) {
        const std::size_t used = k_indent + row.left.size();
        result += format("{:{}}{}", "", k_indent, row.left);
        if (used + k_gap > column) {
            result += '\n';
            result.append(column, ' ');
        } else {
            result.append(column - used, ' ');
        }
        append_wrapped(result, row.right, column);
    }
    return result;
}

Row row_of(const Argument& argument) {
    Row row{argument.name, argument.help};
    if (!argument.value_name.empty()) {
        row.left += ' ' + argument.value_name;
    }
    if (argument.kind == Argument::Kind::repeated) {
        row.right += " (may be given more than once)";
    } else if (argument.required && argument.is_flag()) {
        row.right += " (required)";
    } else if (argument.otherwise) {
        row.right +=
            format(" (default: {})", argument.otherwise->empty() ? "none" : *argument.otherwise);
    }
    return row;
}

std::vector<Row> rows_of(const std::vector<const Argument*>& arguments, bool flags) {
    std::vector<Row> rows;
    for (const Argument* const argument : arguments) {
        if (argument->is_flag() == flags) {
            rows.push_back(row_of(*argument));
        }
    }
    return rows;
}

std::string usage_of(const ToolModel& tool, std::string_view command,
                     const std::vector<const Argument*>& arguments) {
    std::string line = tool.full_name(command);
    for (const Argument* const argument : arguments) {
        if (argument->is_flag() && argument->required) {
            line += format(" {} {}", argument->name, argument->value_name);
        }
    }
    line += " [flags]";
    for (const Argument* const argument : arguments) {
        if (!argument->is_flag()) {
            line += argument->required ? format(" {}", argument->name)
                                       : format(" [{}]", argument->name);
        }
    }
    constexpr std::string_view label = "Usage: ";
    std::string result(label);
    append_wrapped(result, line, label.size());
    return result;
}

std::string render_head(const std::string& name, const std::string& purpose) {
    std::string head;
    append_wrapped(head, format("{}: {}", name, purpose), 0);
    return head + '\n';
}

/// The page of the tool or of a group: its commands.
std::string render_overview(const ToolModel& tool, std::string_view group) {
    const std::string prefix = group.empty() ? "" : format("{} ", group);
    std::vector<Row> rows;
    for (const CommandModel& command : tool.commands) {
        if (command.name().starts_with(prefix)) {
            rows.push_back({command.name(), command.purpose()});
        }
    }
    std::vector<const Argument*> arguments;
    for (const Argument& argument : tool.root.arguments()) {
        arguments.push_back(&argument);
    }
    for (const Argument& argument : common_arguments()) {
        arguments.push_back(&argument);
    }
    const std::string name = tool.full_name(group);
    return render_head(tool.name, tool.root.purpose()) +
           format("Usage: {} COMMAND [flags]\n", name) + render_rows("Commands", rows) +
           render_rows("Flags of every command", rows_of(arguments, true)) +
           format("\n\"{} COMMAND --help\" shows the flags of one command.\n", tool.name);
}

} // namespace

std::string render_help(const ToolModel& tool, std::string_view command) {
    const auto is_asked = [command](const CommandModel& one) {
        return one.name() == command;
    };
    const auto found = std::find_if(tool.commands.begin(), tool.commands.end(), is_asked);
    if (found == tool.commands.end() && !tool.commands.empty()) {
        return render_overview(tool, command);
    }
    const CommandModel& model = found == tool.commands.end() ? tool.root : *found;
    const auto arguments = tool.arguments_of(model);
    std::string page = render_head(tool.full_name(command), model.purpose());
    page += usage_of(tool, command, arguments);
    page += render_rows("Words", rows_of(arguments, false));
    page += render_rows("Flags", rows_of(arguments, true)) + '\n';
    const bool somewhere = !tool.config_file.empty();
    append_wrapped(page,
                   format("Every flag may also stand in {}, named without its dashes.",
                          somewhere ? tool.config_file : "the file of --config"),
                   0);
    return page;
}

} // namespace losos
