// What this host's network interfaces are joined to, and the addresses and names that are its own.
#pragma once

#include <string>
#include <vector>

namespace losos {

/// What an interface is joined to. A bridge is joined to the outside when hardware is below one of
/// its ports; else it holds only what runs on this host.
enum class LinkKind { plain, loopback, bridge_to_outside, bridge_within };

/// What the kernel says of an interface; plain when it says nothing. `root`: its directory of
/// interfaces.
LinkKind read_link_kind(const std::string& interface, const std::string& root = "/sys/class/net");

/// The addresses of all interfaces, numeric, without scopes.
std::vector<std::string> own_addresses();

/// The host's name, its first label, and that label under .local, in lower case.
std::vector<std::string> own_names();

} // namespace losos
