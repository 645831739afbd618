# A hub's custom domains, and the zone that Knot serves.
{
  config,
  lib,
  pkgs,
  ...
}:

let
  inherit (lib) mkOption types;
  common = import ../../common.nix { inherit lib; };
  cfg = config.losos.edge;
  dns = cfg.dns;
  state = "/var/lib/losos-registrar";
  zone = lib.toLower (toString dns.zone);
  zoneFile = "/var/lib/losos-dns/${zone}.zone";
  list = values: if values == [ ] then null else lib.concatStringsSep "," values;

  flags = {
    dns-zone = dns.zone;
    dns-zone-file = zoneFile;
    dns-nameservers = list dns.nameservers;
    dns-hostmaster = dns.hostmaster;
    dns-ipv4 = list dns.ipv4;
    dns-ipv6 = list dns.ipv6;
    dns-check-url = dns.checkUrl;
    vouch-file = "${state}/vouched.json";
  }
  // lib.optionalAttrs dns.relayRoutes.enable {
    relay-pass-key-file = "${state}/relay-pass.key";
    relay-routes-file = "${state}/relay-routes.json";
  };
in
{
  options.losos.edge.dns = {
    enable = mkOption {
      type = types.bool;
      default = false;
      example = true;
      description = "Whether boxes may have custom domains here, and a name each in a zone of this hub.";
    };

    zone = mkOption {
      type = types.nullOr common.dnsName;
      default = null;
      example = "boxes.losos.example";
      description = "The zone, which its parent delegates to the name servers below.";
    };

    nameservers = mkOption {
      type = types.listOf common.dnsName;
      default = [ ];
      example = [ "edge.losos.example" ];
      description = "The zone's name servers, the primary first.";
    };

    hostmaster = mkOption {
      type = types.nullOr (types.strMatching "[A-Za-z0-9._-]+(@[A-Za-z0-9.-]+)?");
      default = null;
      example = "hostmaster@losos.example";
      description = "Who minds the zone; null is hostmaster in the zone itself.";
    };

    ipv4 = mkOption {
      type = types.listOf common.ipv4;
      default = [ ];
      example = [ "198.51.100.1" ];
      description = "This hub's own IPv4 addresses, to which every name in the zone leads.";
    };

    ipv6 = mkOption {
      type = types.listOf common.ipv6;
      default = [ ];
      example = [ "2001:db8::1" ];
      description = "This hub's own IPv6 addresses, to which every name in the zone leads.";
    };

    checkUrl = mkOption {
      type = types.nullOr (types.strMatching "https?://[^\"'#?\\[:space:]]+");
      default = "https://cloudflare-dns.com/dns-query";
      example = "https://dns.google/resolve";
      description = ''
        Who is asked for the proofs in the owners' domains, by DNS over HTTPS in JSON. With null no domain
        goes live.
      '';
    };

    relayRoutes.enable = mkOption {
      type = types.bool;
      default = true;
      example = false;
      description = ''
        Whether a gateway that brings a box's pass may serve that box's domains, see relay-routes.json(5).
      '';
    };
  };

  config = lib.mkIf (cfg.enable && dns.enable) {
    losos.edge.settings = lib.mapAttrs (_: lib.mkOptionDefault) (
      lib.filterAttrs (_: value: value != null) flags
    );

    services.knot = {
      enable = true;
      # With a second server, or keys, it is the operator's to write.
      settingsFile = lib.mkDefault (
        pkgs.writeText "knot.conf" (
          common.replace ../../../units/knot/knot.conf [
            {
              from = "boxes.losos.example";
              to = zone;
            }
          ]
        )
      );
    };
    # The zone is read anew by a user in Knot's group.
    systemd.services.knot.serviceConfig.UMask = lib.mkForce "0007";
    systemd.services.losos-dns-reload.path = [ config.services.knot.package ];

    networking.firewall = lib.mkIf cfg.openFirewall {
      allowedTCPPorts = [ 53 ];
      allowedUDPPorts = [ 53 ];
    };

    assertions = [
      {
        assertion = dns.zone != null;
        message = "losos.edge.dns.enable needs losos.edge.dns.zone: a name for the zone of the boxes.";
      }
      {
        assertion = dns.nameservers != [ ];
        message = ''
          losos.edge.dns.enable needs losos.edge.dns.nameservers: a zone without a name server is none.
        '';
      }
      {
        assertion = dns.ipv4 != [ ] || dns.ipv6 != [ ];
        message = ''
          losos.edge.dns.enable needs losos.edge.dns.ipv4 or losos.edge.dns.ipv6: every name in the zone leads
          to this hub's addresses.
        '';
      }
      {
        assertion = cfg.gateway.enable || cfg.identity.keyFile != null;
        message = ''
          losos.edge.dns.enable needs losos.edge.identity: only an official edge offers domains.
        '';
      }
      {
        assertion = !cfg.gateway.enable;
        message = ''
          losos.edge.dns.enable with losos.edge.gateway.enable: only a hub offers domains.
        '';
      }
    ];
  };
}
