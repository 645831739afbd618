#include "base/options.h"

#include "base/duration.h"
#include "base/format.h"

#include "support/catch.h"
#include "unit/base/captured_stream.h"
#include "unit/files/scratch_dir.h"

#include <charconv>
#include <cstdio>

using namespace losos;

namespace {

Result<int> parse_count(std::string_view text) {
    int count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
        return fail(Errc::failed, "\"{}\" is no number", text);
    }
    return count;
}

/// A tool with every kind of argument, its variables, and what came of one command line.
struct Tool {
    explicit Tool(std::string config_directory = {})
        : options("losos-tool", "stands in for a tool", std::move(config_directory)) {
        options.root().add_switch("--json", "print JSON", json);
        Command& serve = options.command("serve", "answers boxes");
        serve.value("--listen", "ADDRESS:PORT", "where it listens", listen, parse_path, "[::]:80");
        serve.value("--ttl", "TIME", "how long a silent box stays", ttl, parse_duration, "2m");
        serve.required("--tenants", "FILE", "the boxes", tenants, parse_path);
        serve.optional("--max", "COUNT", "how many", max, parse_count);
        serve.repeated("--host", "NAME", "a kept name", hosts, parse_path);
        serve.add_switch("--lan", "be found", lan);
        options.command("noise keygen", "makes a key")
            .required("--out", "FILE", "key", out, parse_path);
        options.command("noise show", "shows a key");
        options.command("forget", "drops a box").positional("ID", "the box", id, parse_path, true);
        options.command("status", "shows all").positional("WORD", "what", id, parse_path, false);
    }

    Result<Options::Chosen> run(std::vector<const char*> arguments) {
        arguments.insert(arguments.begin(), "losos-tool");
        return options.parse(static_cast<int>(arguments.size()), arguments.data());
    }

    Options options;
    bool json = false;
    bool lan = false;
    std::string listen;
    Duration ttl{};
    std::optional<std::string> tenants;
    std::optional<std::string> out;
    std::optional<std::string> id;
    std::optional<int> max;
    std::vector<std::string> hosts;
};

struct Asked {
    Result<Options::Chosen> chosen;
    std::string printed;
};

/// What a command line prints on standard output.
Asked printed_by(Tool& tool, const std::vector<const char*>& arguments) {
    std::fflush(stdout);
    const test::CapturedStream captured(STDOUT_FILENO);
    auto chosen = tool.run(arguments);
    std::fflush(stdout);
    return {std::move(chosen), captured.take()};
}

} // namespace

TEST_CASE("base/options: what is not given gets its default through the same parser") {
    Tool tool;
    const auto chosen = tool.run({"serve", "--tenants", "t.json"});
    REQUIRE(chosen);
    CHECK(chosen->command == "serve");
    CHECK_FALSE(chosen->done);
    CHECK(tool.listen == "[::]:80");
    CHECK(tool.ttl == Duration(120'000));
    CHECK(tool.tenants == "t.json");
    CHECK(tool.max == std::nullopt);
    CHECK(tool.hosts.empty());
    CHECK_FALSE(tool.lan);
    CHECK_FALSE(tool.json);
}

TEST_CASE("base/options: flags are read in every spelling and place") {
    Tool tool;
    REQUIRE(tool.run({"--json", "serve", "--lan", "--tenants=t=1", "--listen", "[::1]", "--host",
                      "a", "--max", "-5", "--host=[b,c]", "--ttl=90"}));
    CHECK(tool.json);
    CHECK(tool.lan);
    CHECK(tool.tenants == "t=1");
    CHECK(tool.listen == "[::1]");
    CHECK(tool.hosts == std::vector<std::string>{"a", "[b,c]"});
    CHECK(tool.max == -5);
    CHECK(tool.ttl == Duration(90'000));
    Tool other;
    REQUIRE(other.run({"serve", "--json", "--tenants", "--listen"}));
    CHECK(other.json);
    CHECK(other.tenants == "--listen");
}

TEST_CASE("base/options: a command may have two words") {
    Tool tool;
    const auto chosen = tool.run({"noise", "keygen", "--out", "k"});
    REQUIRE(chosen);
    CHECK(chosen->command == "noise keygen");
    CHECK(tool.out == "k");
    CHECK(Tool().run({"noise", "show"})->command == "noise show");
}

TEST_CASE("base/options: a word may be named like a command") {
    for (const char* const word : {"status", "serve", "forget", "noise", "-", "a b", "[x]", "é"}) {
        INFO(word);
        Tool tool;
        const auto chosen = tool.run({"forget", word});
        REQUIRE(chosen);
        CHECK(chosen->command == "forget");
        CHECK(tool.id == word);
    }
    Tool tool;
    REQUIRE(tool.run({"forget", "--", "--json"}));
    CHECK(tool.id == "--json");
    CHECK_FALSE(tool.json);
    Tool without;
    REQUIRE(without.run({"status"}));
    CHECK(without.id == std::nullopt);
}

TEST_CASE("base/options: a wrong command line is one sentence and where to look") {
    const std::pair<std::vector<const char*>, const char*> cases[] = {
        {{}, "a command is missing; see losos-tool --help"},
        {{""}, "\"losos-tool \" is no command; see losos-tool --help"},
        {{"serv"}, "\"losos-tool serv\" is no command; see losos-tool --help"},
        {{"Serve"}, "\"losos-tool Serve\" is no command; see losos-tool --help"},
        {{"noise"}, "\"noise\" needs one more word; see losos-tool noise --help"},
        {{"noise", "x"}, "\"losos-tool noise x\" is no command; see losos-tool noise --help"},
        {{"--what"}, "--what is no flag of losos-tool; see losos-tool --help"},
        {{"-h"}, "-h is no flag of losos-tool; see losos-tool --help"},
        {{"serve"}, "--tenants is missing; see losos-tool serve --help"},
        {{"serve", "--tenants"}, "--tenants needs a value; see losos-tool serve --help"},
        {{"serve", "--tenants="}, "--tenants: a path is not empty; see losos-tool serve --help"},
        {{"serve", "--tenants=", "x"}, "\"x\" is one word too many; see losos-tool serve --help"},
        {{"serve", "--tenants", "a", "--tenants", "b"},
         "--tenants: it takes one value, not 2; see losos-tool serve --help"},
        {{"serve", "--tenants", "a", "b"},
         "\"b\" is one word too many; see losos-tool serve --help"},
        {{"serve", "--tenants", "a", ""}, "\"\" is one word too many; see losos-tool serve --help"},
        {{"serve", "--tenants", "a", "--ttl", "0"},
         "--ttl: the duration \"0\" is not greater than zero; see losos-tool serve --help"},
        {{"serve", "--tenants", "a", "--max", "1x"},
         "--max: \"1x\" is no number; see losos-tool serve --help"},
        {{"serve", "--tenants", "a", "--host", "b", "--host="},
         "--host: a path is not empty; see losos-tool serve --help"},
        {{"serve", "--tenan", "a"},
         "--tenan is no flag of losos-tool serve; see losos-tool serve --help"},
        {{"serve", "--secret=abc"},
         "--secret is no flag of losos-tool serve; see losos-tool serve --help"},
        {{"serve", "--out", "a"},
         "--out is no flag of losos-tool serve; see losos-tool serve --help"},
        {{"serve", "--lan=false", "--tenants=a"},
         "--lan takes no value; see losos-tool serve --help"},
        {{"serve", "--lan=", "--tenants=a"}, "--lan takes no value; see losos-tool serve --help"},
        {{"status", "--json="}, "--json takes no value; see losos-tool status --help"},
        {{"serve", "--tenants", "a", "--", "--lan"},
         "--lan is no flag of losos-tool serve; see losos-tool serve --help"},
        {{"forget"}, "ID is missing; see losos-tool forget --help"},
        {{"forget", ""}, "ID: a path is not empty; see losos-tool forget --help"},
        {{"forget", "a", "b"}, "\"b\" is one word too many; see losos-tool forget --help"},
        {{"forget", "a", "status"},
         "\"status\" is one word too many; see losos-tool forget --help"},
    };
    for (const auto& [arguments, sentence] : cases) {
        INFO(sentence);
        Tool tool;
        const auto chosen = tool.run(arguments);
        REQUIRE_FALSE(chosen);
        CHECK(chosen.error() == Error{Errc::usage, sentence});
    }
}

TEST_CASE("base/options: --help shows every command, or one command's flags with their defaults") {
    Tool tool;
    const auto all = printed_by(tool, {"--help"});
    REQUIRE(all.chosen);
    CHECK(all.chosen->done);
    CHECK(all.printed == R"(losos-tool: stands in for a tool

Usage: losos-tool COMMAND [flags]

Commands:
  serve         answers boxes
  noise keygen  makes a key
  noise show    shows a key
  forget        drops a box
  status        shows all

Flags of every command:
  --json         print JSON
  --config FILE  read what the command line leaves out from this file; '' for
                 none
  --help         show this and end
  --version      show the version and end

"losos-tool COMMAND --help" shows the flags of one command.
)");
    const auto serve = printed_by(tool, {"serve", "--bad", "--help"});
    REQUIRE(serve.chosen);
    CHECK(serve.chosen->done);
    CHECK(serve.printed == R"(losos-tool serve: answers boxes

Usage: losos-tool serve --tenants FILE [flags]

Flags:
  --listen ADDRESS:PORT  where it listens (default: [::]:80)
  --ttl TIME             how long a silent box stays (default: 2m)
  --tenants FILE         the boxes (required)
  --max COUNT            how many
  --host NAME            a kept name (may be given more than once)
  --lan                  be found
  --json                 print JSON
  --config FILE          read what the command line leaves out from this file;
                         '' for none
  --help                 show this and end
  --version              show the version and end

Every flag may also stand in the file of --config, named without its dashes.
)");
    CHECK(printed_by(tool, {"noise", "--help"}).printed.find("noise keygen  makes") !=
          std::string::npos);
    CHECK(printed_by(tool, {"noise", "--help"}).printed.find("serve") == std::string::npos);
    CHECK(printed_by(tool, {"forget", "--help"}).printed.find("forget [flags] ID") !=
          std::string::npos);
    CHECK(printed_by(tool, {"status", "--help"}).printed.find("status [flags] [WORD]") !=
          std::string::npos);
}

TEST_CASE("base/options: --version names the tool and its version, whatever the command") {
    Tool tool;
    const std::string line = std::string("losos-tool ") + LOSOS_VERSION + "\n";
    CHECK(printed_by(tool, {"--version"}).printed == line);
    const auto asked = printed_by(tool, {"serve", "--version"});
    CHECK(asked.printed == line);
    REQUIRE(asked.chosen);
    CHECK(asked.chosen->done);
}

TEST_CASE("base/options: the file gives what the command line leaves out") {
    const test::ScratchDir dir;
    test::spill(dir / "losos-tool.toml", "tenants = \"file.json\"\n"
                                         "ttl = 15\n"
                                         "listen = '[::1]:1'\n"
                                         "host = [\"a\", \"b\"]\n"
                                         "lan = true\n"
                                         "json = true\n"
                                         "out = \"another command's\"\n");
    Tool tool(dir.path());
    REQUIRE(tool.run({"serve", "--listen", "[::1]:2"}));
    CHECK(tool.tenants == "file.json");
    CHECK(tool.ttl == Duration(15'000));
    CHECK(tool.listen == "[::1]:2");
    CHECK(tool.hosts == std::vector<std::string>{"a", "b"});
    CHECK(tool.lan);
    CHECK(tool.json);
    CHECK(tool.out == std::nullopt);

    Tool other(dir.path());
    REQUIRE(other.run({"serve", "--host", "c"}));
    CHECK(other.hosts == std::vector<std::string>{"c"});

    Tool named;
    REQUIRE(named.run({"serve", "--config", (dir / "losos-tool.toml").c_str()}));
    CHECK(named.tenants == "file.json");
}

TEST_CASE("base/options: --config '' reads no file, and a default one may be missing") {
    const test::ScratchDir dir;
    {
        Tool tool(dir.path());
        CHECK(tool.run({"status"}));
    }
    test::spill(dir / "losos-tool.toml", "not even TOML");
    for (const auto& arguments : std::vector<std::vector<const char*>>{
             {"status", "--config", ""}, {"status", "--config="}, {"--config", "", "status"}}) {
        Tool tool(dir.path());
        CHECK(tool.run(arguments));
    }
    Tool tool(dir.path());
    CHECK_FALSE(tool.run({"status"}));
}

TEST_CASE("base/options: a fault in the file names the file and the key") {
    const std::pair<std::string, const char*> cases[] = {
        {"what = 1\n", "\"what\" is no flag of losos-tool"},
        {"help = true\n", "\"help\" is no flag of losos-tool"},
        {"config = \"x\"\n", "\"config\" is no flag of losos-tool"},
        {"--ttl = 1\n", "\"--ttl\" is no flag of losos-tool"},
        {"ID = \"x\"\n", "\"ID\" is no flag of losos-tool"},
        {"\nttl = \"never\"\n", "ttl: \"never\" is no duration"},
        {"max = [1, 2]\n", "max: it takes one value, not 2"},
        {"max = []\n", "max: it takes one value, not 0"},
        {"lan = \"yes\"\n", "lan: it is either true or false"},
        {"host = [\"\"]\n", "host: a path is not empty"},
        {"[serve]\nttl = 1\n", "a table is no flag"},
        {"ttl = 1\nlan\n", "line 2 is not flag = value"},
        {"listen: \"0.0.0.0:1\"\n", "line 1 is not flag = value"},
        {"ttl = 1\nttl = 2\n", "ttl: it takes one value, not 2"},
        {"ttl = 1\nmax = 3\nttl = 2\n", "ttl: it takes one value, not 2"},
        {"lan = true\nmax = 3\nlan = true\n", "lan: it is either true or false"},
    };
    const test::ScratchDir dir;
    const std::string path = dir / "losos-tool.toml";
    for (const auto& [text, cause] : cases) {
        INFO(text);
        test::spill(path, text);
        Tool tool(dir.path());
        const auto chosen = tool.run({"serve", "--tenants", "t"});
        REQUIRE_FALSE(chosen);
        CHECK(chosen.error().code == Errc::usage);
        CHECK(chosen.error().what.starts_with(path + ": " + cause));
        CHECK(chosen.error().what.ends_with("; see losos-tool serve --help"));
    }
}

TEST_CASE("base/options: a named file that is missing or no file is wrong usage") {
    const test::ScratchDir dir;
    Tool missing;
    CHECK(missing.run({"status", "--config", (dir / "none").c_str()}).error() ==
          Error{Errc::usage,
                "there is no file " + (dir / "none") + "; see losos-tool status --help"});
    Tool directory;
    CHECK(directory.run({"status", "--config", dir.path().c_str()}).error() ==
          Error{Errc::usage, dir.path() + " is a directory, not a file"});
    test::spill(dir / "large", std::string(70'000, '#'));
    Tool large;
    CHECK(large.run({"status", "--config", (dir / "large").c_str()}).error().code == Errc::usage);
}

TEST_CASE("base/options: a tool without commands has its flags and words at the root") {
    Options options("losos-one", "does one thing", "");
    std::string file;
    std::optional<std::string> word;
    options.root().value("--file", "FILE", "the file", file, parse_path, "/default");
    options.root().positional("WORD", "a word", word, parse_path, false);
    const char* const plain[] = {"losos-one"};
    const auto chosen = options.parse(1, plain);
    REQUIRE(chosen);
    CHECK(chosen->command.empty());
    CHECK(file == "/default");
    const char* const both[] = {"losos-one", "serve", "--file", "x"};
    REQUIRE(options.parse(4, both));
    CHECK(file == "x");
    CHECK(word == "serve");
    const char* const many[] = {"losos-one", "a", "b"};
    CHECK(options.parse(3, many).error().what ==
          "\"b\" is one word too many; see losos-one --help");
}

TEST_CASE("base/options: a path is any text but the empty one") {
    CHECK(*parse_path("/a b/c") == "/a b/c");
    CHECK_FALSE(parse_path(""));
    CHECK_FALSE(parse_path(std::string_view("a\0b", 3)));
}
