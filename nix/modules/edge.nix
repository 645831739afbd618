# A LosOS edge: a hub on the internet, or, with gateway.enable, a gateway on a LAN. The units are the
# package's own; here are only users, files in /etc/losos and drop-ins.
{
  imports = [
    ./package.nix
    ./edge/options.nix
    ./edge/registrar.nix
    ./edge/tunnels.nix
    ./edge/traefik.nix
    ./edge/lan.nix
    ./edge/uplink.nix
    ./edge/dns.nix
    ./edge/identity.nix
    ./edge/cluster.nix
  ];
}
