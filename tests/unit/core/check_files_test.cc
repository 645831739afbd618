#include "core/check_files.h"

#include "support/catch.h"

#include <string>

using namespace losos;

namespace {

const FileWish k_token{"/t/token", FileKind::file, Presence::needed,      0600,
                       0400,       "losos-box",    "restart lososd-pathd"};
const FileWish k_status{
    "/t/status.json", FileKind::file, Presence::optional, 0644, 0444, "losos-edge", ""};
const FileWish k_state{"/t/state", FileKind::directory, Presence::needed, 0700,
                       0700,       "losos-edge",        "make it"};

FileFacts found(const FileWish& wish) {
    FileFacts facts;
    facts.access = FileFacts::Access::found;
    facts.kind = wish.kind;
    facts.mode = wish.mode;
    facts.owner = wish.owner;
    facts.free_bytes = 1'000'000'000;
    facts.free_files = 1'000'000;
    return facts;
}

bool has(const Check& check, const std::string& words) {
    return check.says.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a file as it should be is fine") {
    CHECK(check_file(k_token, found(k_token))->verdict == Verdict::ok);
    CHECK(check_file(k_token, found(k_token))->what == "file /t/token");
    CHECK(check_writable(k_state, found(k_state)).verdict == Verdict::ok);
}

TEST_CASE("a missing file is a fault only where it is needed") {
    const auto check = check_file(k_token, FileFacts{});
    CHECK(check->verdict == Verdict::failed);
    CHECK(has(*check, "missing; restart lososd-pathd"));
    CHECK_FALSE(check_file(k_status, FileFacts{}));
}

TEST_CASE("a file this user may not look at is not counted as right") {
    FileFacts facts;
    facts.access = FileFacts::Access::denied;
    CHECK(check_file(k_token, facts)->verdict == Verdict::not_checked);
    facts.access = FileFacts::Access::fault;
    facts.fault = "Input/output error";
    CHECK(check_file(k_token, facts)->verdict == Verdict::failed);
    CHECK(has(*check_file(k_token, facts), "Input/output error"));
}

TEST_CASE("a mode that lets others at a secret is a fault, with the command that mends it") {
    auto facts = found(k_token);
    facts.mode = GENERATE(0640U, 0604U, 0666U, 0700U, 04600U);
    const auto check = check_file(k_token, facts);
    CHECK(check->verdict == Verdict::failed);
    CHECK(has(*check, "lets others at it; type \"chmod 0600 /t/token\""));
}

TEST_CASE("a mode that keeps out a reader is a fault, one without write is none") {
    auto facts = found(k_status);
    facts.mode = 0600;
    CHECK(has(*check_file(k_status, facts), "keeps out who must reach it"));
    facts.mode = 0444;
    CHECK(check_file(k_status, facts)->verdict == Verdict::ok);
    auto token = found(k_token);
    token.mode = 0400;
    CHECK(check_file(k_token, token)->verdict == Verdict::ok);
    token.mode = 0000;
    CHECK(check_file(k_token, token)->verdict == Verdict::failed);
}

TEST_CASE("somebody else's file is a fault, and so is a thing of another kind") {
    auto facts = found(k_token);
    facts.owner = "root";
    CHECK(has(*check_file(k_token, facts), "belongs to root, not to losos-box; type "
                                           "\"chown losos-box: /t/token\""));
    facts = found(k_token);
    facts.kind = GENERATE(FileKind::directory, FileKind::other);
    CHECK(has(*check_file(k_token, facts), "it is no regular file"));
}

TEST_CASE("a directory has to be writable and to have room") {
    auto facts = found(k_state);
    facts.read_only_disk = true;
    CHECK(has(check_writable(k_state, facts), "read-only"));
    facts = found(k_state);
    facts.free_bytes = 1000;
    CHECK(has(check_writable(k_state, facts), "full"));
    facts = found(k_state);
    facts.free_files = 0;
    CHECK(has(check_writable(k_state, facts), "full"));
    facts = found(k_state);
    facts.mode = 0500;
    CHECK(has(check_writable(k_state, facts), "chmod 0700"));
}
