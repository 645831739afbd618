// Says what lib/io/lan_browser says, as one JSON line on standard output after each change, until
// it is told to stop. TXT strings are in hex, for they may be any bytes.
#include "base/hex.h"
#include "base/json_writer.h"
#include "io/event_loop.h"
#include "io/lan_browser.h"
#include "io/lan_interfaces.h"

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace {

using losos::EventLoop;
using losos::FoundService;
using losos::JsonWriter;
using losos::LanBrowser;
using losos::LinkKind;
using losos::Result;

const char* name_of(LanBrowser::State state) {
    switch (state) {
    case LanBrowser::State::searching:
        return "searching";
    case LanBrowser::State::done:
        return "done";
    case LanBrowser::State::unavailable:
        break;
    }
    return "unavailable";
}

const char* name_of(LinkKind kind) {
    switch (kind) {
    case LinkKind::plain:
        return "plain";
    case LinkKind::loopback:
        return "loopback";
    case LinkKind::bridge_to_outside:
        return "bridge_to_outside";
    case LinkKind::bridge_within:
        break;
    }
    return "bridge_within";
}

void write_service(JsonWriter& json, const FoundService& service) {
    json.begin_object()
        .text("interface", service.interface)
        .text("kind", name_of(losos::read_link_kind(service.interface)))
        .text("instance", service.instance)
        .text("host", service.host)
        .whole("port", service.port)
        .text("address", service.address)
        .key("txt")
        .begin_array();
    for (const std::string& each : service.txt) {
        json.text(losos::hex_encode(each));
    }
    json.end_array().end_object();
}

void print(const LanBrowser& browser) {
    JsonWriter json(JsonWriter::Style::compact);
    json.begin_object().text("state", name_of(browser.state())).key("services").begin_array();
    for (const FoundService& service : browser.services()) {
        write_service(json, service);
    }
    json.end_array().end_object();
    std::puts(std::move(json).finish().c_str());
    std::fflush(stdout);
}

Result<void> watch() {
    TRY_ASSIGN(const auto loop, EventLoop::make());
    std::unique_ptr<LanBrowser> browser;
    TRY_ASSIGN(browser,
               LanBrowser::start(*loop, "_losos-edge._tcp", [&browser] { print(*browser); }));
    print(*browser);
    return loop->run();
}

} // namespace

int main() {
    const auto done = watch();
    if (!done) {
        std::fprintf(stderr, "%s\n", done.error().what.c_str());
    }
    return done ? 0 : 1;
}
