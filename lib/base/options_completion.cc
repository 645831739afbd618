#include "base/options_completion.h"

#include "base/format.h"

#include <algorithm>

namespace losos {
namespace {

/// What may follow the words that were typed so far.
struct Place {
    /// The words; empty right behind the tool's name.
    std::string words;
    /// The words that lead to a command, each with what it is for.
    std::vector<std::pair<std::string, std::string>> next;
    std::vector<const Argument*> flags;
    /// Whether further words, which are no commands, may stand there.
    bool is_command = false;
};

std::vector<const Argument*> flags_among(const std::vector<const Argument*>& arguments) {
    std::vector<const Argument*> flags;
    for (const Argument* const argument : arguments) {
        if (argument->is_flag()) {
            flags.push_back(argument);
        }
    }
    return flags;
}

/// The flags that stand before any command.
std::vector<const Argument*> shared_flags(const ToolModel& tool) {
    return flags_among(tool.arguments_of(tool.root));
}

Place& place_at(std::vector<Place>& places, const ToolModel& tool, const std::string& words) {
    const auto found = std::find_if(places.begin(), places.end(),
                                    [&words](const Place& one) { return one.words == words; });
    if (found != places.end()) {
        return *found;
    }
    places.push_back({words, {}, shared_flags(tool), false});
    return places.back();
}

/// Notes that `word` may follow; a group of commands is for what its commands are called.
void lead_on(Place& place, const std::string& word, const std::string& purpose, bool is_group) {
    const auto known = std::find_if(place.next.begin(), place.next.end(),
                                    [&word](const auto& one) { return one.first == word; });
    if (known == place.next.end()) {
        place.next.emplace_back(word, purpose);
    } else if (is_group) {
        known->second += ", " + purpose;
    }
}

std::vector<Place> places_of(const ToolModel& tool) {
    std::vector<Place> places{{{}, {}, shared_flags(tool), tool.commands.empty()}};
    for (const CommandModel& command : tool.commands) {
        const auto blank = command.name().find(' ');
        const bool is_group = blank != std::string::npos;
        const std::string first = command.name().substr(0, blank);
        const std::string second = is_group ? command.name().substr(blank + 1) : std::string();
        lead_on(place_at(places, tool, {}), first, is_group ? second : command.purpose(), is_group);
        if (is_group) {
            lead_on(place_at(places, tool, first), second, command.purpose(), false);
        }
        Place& own = place_at(places, tool, command.name());
        own.flags = flags_among(tool.arguments_of(command));
        own.is_command = true;
    }
    return places;
}

enum class Values { none, any, file, directory, words };

Values values_of(const Argument& flag) {
    if (flag.kind == Argument::Kind::toggle) {
        return Values::none;
    }
    if (flag.value_name == "FILE") {
        return Values::file;
    }
    if (flag.value_name == "DIR") {
        return Values::directory;
    }
    return flag.value_name.find('|') != std::string::npos ? Values::words : Values::any;
}

/// `auto|yes|no` as the words it is made of.
std::string words_of(const Argument& flag) {
    std::string words = flag.value_name;
    std::replace(words.begin(), words.end(), '|', ' ');
    return words;
}

/// Each flag of the tool that takes such values, once.
std::vector<const Argument*> flags_with(const std::vector<Place>& places, Values values) {
    std::vector<const Argument*> found;
    for (const Place& place : places) {
        for (const Argument* const flag : place.flags) {
            const bool is_known =
                std::any_of(found.begin(), found.end(),
                            [flag](const Argument* one) { return one->name == flag->name; });
            if (values_of(*flag) == values && !is_known) {
                found.push_back(flag);
            }
        }
    }
    return found;
}

std::vector<const Argument*> flags_with_value(const std::vector<Place>& places) {
    std::vector<const Argument*> all;
    for (const Values values : {Values::any, Values::file, Values::directory, Values::words}) {
        const auto some = flags_with(places, values);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

std::string join_names(const std::vector<const Argument*>& flags, std::string_view separator) {
    std::string joined;
    for (const Argument* const flag : flags) {
        joined += joined.empty() ? std::string_view() : separator;
        joined += flag->name;
    }
    return joined;
}

/// The tool's name as shells let a function be called.
std::string function_of(const ToolModel& tool) {
    std::string name = "_" + tool.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

/// `text` with a backslash before each of `special`.
std::string escaped(std::string_view text, std::string_view special) {
    std::string result;
    for (const char each : text) {
        if (special.find(each) != std::string_view::npos) {
            result += '\\';
        }
        result += each;
    }
    return result;
}

/// Between single quotes of bash or zsh.
std::string quoted(std::string_view text) {
    std::string result = "'";
    for (const char each : text) {
        result += each == '\'' ? std::string("'\\''") : std::string(1, each);
    }
    return result + '\'';
}

std::string title(const ToolModel& tool, std::string_view shell) {
    return format("# Completion of {} for {}, made from the table of its flags.\n", tool.name,
                  shell);
}

// --- bash -----------------------------------------------------------------------------------

/// What completes the value of the flags that take such values.
std::string bash_values(const std::vector<Place>& places, Values values, std::string_view action) {
    const auto flags = flags_with(places, values);
    return flags.empty()
               ? std::string()
               : format("        {})\n            compopt -o filenames\n"
                        "            mapfile -t COMPREPLY < <(compgen {} -- \"$current\")\n"
                        "            return ;;\n",
                        join_names(flags, " | "), action);
}

std::string bash_words(const std::vector<Place>& places) {
    std::string lines;
    for (const Argument* const flag : flags_with(places, Values::words)) {
        lines += format("        {})\n"
                        "            mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\")\n"
                        "            return ;;\n",
                        flag->name, words_of(*flag));
    }
    return lines;
}

std::string bash_places(const ToolModel& tool, const std::vector<Place>& places) {
    std::string lines;
    for (const Place& place : places) {
        const std::string at = tool.commands.empty() ? "*"
                               : place.is_command    ? format("'{0}' | '{0} '*", place.words)
                                                     : quoted(place.words);
        std::string next;
        for (const auto& [word, purpose] : place.next) {
            next += (next.empty() ? "" : " ") + word;
        }
        lines += format("        {})\n            words='{}'\n            flags='{}' ;;\n", at,
                        next, join_names(place.flags, " "));
    }
    return lines;
}

std::string render_bash(const ToolModel& tool) {
    const auto places = places_of(tool);
    return title(tool, "bash") +
           format("{}() {{\n"
                  "    local current=${{COMP_WORDS[COMP_CWORD]}}\n"
                  "    local command='' pending='' words='' flags='' word i\n"
                  "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                  "        word=${{COMP_WORDS[i]}}\n"
                  "        # bash takes a word apart at these two.\n"
                  "        if [[ $word == '=' ]]; then\n"
                  "            continue\n"
                  "        elif [[ $word == ':' ]]; then\n"
                  "            pending=$word\n"
                  "            continue\n"
                  "        elif [[ $pending ]]; then\n"
                  "            pending=''\n"
                  "            continue\n"
                  "        fi\n"
                  "        case $word in\n"
                  "            {})\n"
                  "                pending=$word ;;\n"
                  "            -*) ;;\n"
                  "            *) command+=${{command:+ }}$word ;;\n"
                  "        esac\n"
                  "    done\n"
                  "    [[ $current != '=' ]] || current=''\n",
                  function_of(tool), join_names(flags_with_value(places), " | ")) +
           "    case $pending in\n        '') ;;\n" + bash_values(places, Values::file, "-f") +
           bash_values(places, Values::directory, "-d") + bash_words(places) +
           "        *) return ;;\n    esac\n    case $command in\n" + bash_places(tool, places) +
           format("    esac\n"
                  "    [[ $current != -* && $words ]] || words=$flags\n"
                  "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
                  "}}\n"
                  "complete -F {} {}\n",
                  function_of(tool), tool.name);
}

// --- zsh ------------------------------------------------------------------------------------

std::string zsh_flag(const Argument& flag) {
    std::string text = flag.kind == Argument::Kind::repeated ? "*" : "";
    const Values values = values_of(flag);
    text += format("{}{}[{}]", flag.name, values == Values::none ? "" : "=",
                   escaped(flag.help, "\\[]:"));
    if (values != Values::none) {
        const std::string action = values == Values::file        ? "_files"
                                   : values == Values::directory ? "_files -/"
                                   : values == Values::words     ? format("({})", words_of(flag))
                                                                 : " ";
        text += format(":{}:{}", escaped(flag.value_name, "\\:"), action);
    }
    return quoted(text);
}

std::string zsh_place(const ToolModel& tool, const Place& place) {
    const std::string at = tool.commands.empty() ? "*"
                           : place.is_command    ? format("'{0}'|'{0} '*", place.words)
                                                 : quoted(place.words);
    std::string lines = format("        ({})\n            next=(\n", at);
    for (const auto& [word, purpose] : place.next) {
        lines += format("                {}\n", quoted(escaped(word, "\\:") + ":" + purpose));
    }
    lines += "            )\n            flags=(\n";
    for (const Argument* const flag : place.flags) {
        lines += format("                {}\n", zsh_flag(*flag));
    }
    return lines + "            ) ;;\n";
}

std::string render_zsh(const ToolModel& tool) {
    const auto places = places_of(tool);
    std::string text = format("#compdef {}\n", tool.name) + title(tool, "zsh") +
                       format("{}() {{\n"
                              "    local command='' pending='' word\n"
                              "    local -a next flags\n"
                              "    local -i i\n"
                              "    for ((i = 2; i < CURRENT; i++)); do\n"
                              "        word=$words[i]\n"
                              "        if [[ -n $pending ]]; then\n"
                              "            pending=''\n"
                              "            continue\n"
                              "        fi\n"
                              "        case $word in\n"
                              "            ({}) pending=$word ;;\n"
                              "            (-*) ;;\n"
                              "            (*) command+=${{command:+ }}$word ;;\n"
                              "        esac\n"
                              "    done\n"
                              "    case $command in\n",
                              function_of(tool), join_names(flags_with_value(places), "|"));
    for (const Place& place : places) {
        text += zsh_place(tool, place);
    }
    return text + format("    esac\n"
                         "    if (( $#next )) && [[ -z $pending && $words[CURRENT] != -* ]]; then\n"
                         "        _describe -t commands command next\n"
                         "    else\n"
                         "        _arguments $flags '*: : '\n"
                         "    fi\n"
                         "}}\n"
                         "{} \"$@\"\n",
                         function_of(tool));
}

// --- fish -----------------------------------------------------------------------------------

std::string fish_quoted(std::string_view text) {
    return format("'{}'", escaped(text, "\\'"));
}

std::string fish_flag(const ToolModel& tool, const std::string& at, const Argument& flag) {
    const bool is_long = flag.name.starts_with("--");
    std::string line = format("complete -c {} -n {} {} {}", tool.name, at, is_long ? "-l" : "-s",
                              flag.name.substr(is_long ? 2 : 1));
    switch (values_of(flag)) {
    case Values::none:
        break;
    case Values::any:
        line += " -x";
        break;
    case Values::file:
        line += " -r -F";
        break;
    case Values::directory:
        line += " -x -a '(__fish_complete_directories)'";
        break;
    case Values::words:
        line += format(" -x -a {}", fish_quoted(words_of(flag)));
        break;
    }
    return line + format(" -d {}\n", fish_quoted(flag.help));
}

std::string render_fish(const ToolModel& tool) {
    const auto places = places_of(tool);
    const std::string function = "_" + function_of(tool);
    std::string text =
        title(tool, "fish") +
        format(
            "function {}_at -d 'Whether the words so far are these, or are this command and more'\n"
            "    set -l tokens (commandline -opc)\n"
            "    set -e tokens[1]\n"
            "    set -l pending no\n"
            "    set -l command\n"
            "    for word in $tokens\n"
            "        if test $pending = yes\n"
            "            set pending no\n"
            "            continue\n"
            "        end\n"
            "        switch $word\n"
            "            case {}\n"
            "                set pending yes\n"
            "            case '-*'\n"
            "            case '*'\n"
            "                set -a command $word\n"
            "        end\n"
            "    end\n"
            "    test \"$command\" = \"$argv[1]\"; and return\n"
            "    test \"$argv[2]\" = more; and string match -q -- \"$argv[1] *\" \"$command\"\n"
            "end\n"
            "complete -c {} -f\n",
            function, join_names(flags_with_value(places), " "), tool.name);
    for (const Place& place : places) {
        const std::string at = fish_quoted(
            format("{}_at \"{}\"{}", function, place.words, place.is_command ? " more" : ""));
        for (const auto& [word, purpose] : place.next) {
            text += format("complete -c {} -n {} -a {} -d {}\n", tool.name, at, word,
                           fish_quoted(purpose));
        }
        for (const Argument* const flag : place.flags) {
            text += fish_flag(tool, at, *flag);
        }
    }
    return text;
}

} // namespace

std::optional<std::string> render_completion(const ToolModel& tool, std::string_view shell) {
    if (shell == "bash") {
        return render_bash(tool);
    }
    if (shell == "zsh") {
        return render_zsh(tool);
    }
    if (shell == "fish") {
        return render_fish(tool);
    }
    return std::nullopt;
}

} // namespace losos
