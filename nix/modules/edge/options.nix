# What an edge of either kind is told.
{ config, lib, ... }:

let
  inherit (lib) mkOption types;
  common = import ../../common.nix { inherit lib; };
  cfg = config.losos.edge;

  tenant = {
    options = {
      hostname = mkOption {
        type = common.dnsName;
        example = "acme.losos.example";
        description = ''
          The name under which visitors reach the tenant. For a gateway that only relays, its relay zone
          itself.
        '';
      };

      tokenFile = mkOption {
        type = common.file;
        example = "/etc/losos/tokens/acme";
        description = ''
          The file with the tenant's token: at least 32 characters, readable by the user `losos-edge` and
          by nobody else.
        '';
      };

      relayZone = mkOption {
        type = types.nullOr common.dnsName;
        default = null;
        example = "acme.losos.example";
        description = "Makes the tenant a gateway: it may bring boxes one label under this name.";
      };

      cluster = mkOption {
        type = types.bool;
        default = false;
        example = true;
        description = "Whether the tenant may join the mesh.";
      };

      market = mkOption {
        type = types.bool;
        default = false;
        example = true;
        description = "Whether the tenant may join the market.";
      };
    };
  };
in
{
  options.losos.edge = {
    enable = mkOption {
      type = types.bool;
      default = false;
      example = true;
      description = "Whether this machine is a LosOS edge.";
    };

    publicDomain = mkOption {
      type = types.nullOr common.dnsName;
      default = null;
      example = "losos.example";
      description = "The domain that a hub serves. A gateway needs none.";
    };

    publicHost = mkOption {
      type = types.nullOr common.dnsName;
      default = if cfg.publicDomain == null then null else "edge.${cfg.publicDomain}";
      defaultText = lib.literalExpression ''"edge.''${config.losos.edge.publicDomain}"'';
      example = "edge.losos.example";
      description = ''
        A hub's own name, under which gateways and boxes call it over TLS. No box may have it.
      '';
    };

    reservedHosts = mkOption {
      type = types.listOf common.dnsName;
      default = [ ];
      example = [ "www.losos.example" ];
      description = "Further names that no box may have.";
    };

    acmeEmail = mkOption {
      type = types.nullOr (types.strMatching "[^@\"'#\\[:space:]]+@[^@\"'#\\[:space:]]+");
      default = null;
      example = "hostmaster@losos.example";
      description = "To whom a hub's account at the ACME server belongs. A gateway asks none.";
    };

    acmeServer = mkOption {
      type = types.nullOr (types.strMatching "https://[^\"'#\\[:space:]]+");
      default = null;
      example = "https://acme-staging-v02.api.letsencrypt.org/directory";
      description = "The ACME server's directory; null is Traefik's own default, Let's Encrypt.";
    };

    tenants = mkOption {
      type = types.attrsOf (types.submodule tenant);
      default = { };
      example = {
        acme = {
          hostname = "acme.losos.example";
          tokenFile = "/etc/losos/tokens/acme";
          relayZone = "acme.losos.example";
        };
      };
      description = ''
        Who may call this edge, by id. Changes are followed without a restart; see tenants.json(5).
      '';
    };

    registrarApiBind = mkOption {
      type = types.either common.ipv4 common.ipv6;
      default = "127.0.0.1";
      example = "0.0.0.0";
      description = ''
        The address on which the registrar's API listens, in plain HTTP: loopback on a hub, whose Traefik
        puts it on the internet, the LAN's address or all on a gateway.
      '';
    };

    registrarApiPort = mkOption {
      type = types.port;
      default = 8443;
      example = 8443;
      description = "The port of the registrar's API.";
    };

    ratholeBindAddr = mkOption {
      type = types.either common.ipv4 common.ipv6;
      default = "0.0.0.0";
      example = "::";
      description = "The address on which tunnels are taken in.";
    };

    ratholeBindPort = mkOption {
      type = types.port;
      default = 2333;
      example = 2333;
      description = "The port on which tunnels are taken in.";
    };

    ratholePortRange = mkOption {
      type = types.strMatching "[1-9][0-9]{0,4}-[1-9][0-9]{0,4}";
      default = "20000-29999";
      example = "20000-20999";
      description = ''
        The loopback ports of tunnels, one for each box. It stays below the kernel's ephemeral ports. The
        limit of open files follows it.
      '';
    };

    heartbeatTtl = mkOption {
      type = common.duration;
      default = "120s";
      example = "3m";
      description = "How long a silent tenant is kept: `<n>` and ms, s, m or h, or a number of seconds.";
    };

    reconcileInterval = mkOption {
      type = common.duration;
      default = "15s";
      example = "30s";
      description = "How often everything is checked again; changes are followed at once besides.";
    };

    bootstrapTokenFile = mkOption {
      type = common.file;
      default = "/var/lib/losos-registrar/bootstrap.token";
      example = "/run/agenix/losos-bootstrap";
      description = ''
        The token that every tunnel starts with. The default is made at the first start; another file is
        the operator's to make, for `losos-edge` to read.
      '';
    };

    noisePrivateKeyFile = mkOption {
      type = types.nullOr common.file;
      default = "/var/lib/losos-registrar/noise.key";
      example = "/run/agenix/losos-noise";
      description = ''
        The key that tunnels are encrypted with, its public half beside it in `.pub`. The default is made
        at the first start; with null tunnels are plain TCP.
      '';
    };

    gateway.enable = mkOption {
      type = types.bool;
      default = false;
      example = true;
      description = ''
        Whether this edge is a gateway, which takes in the boxes on its LAN, rather than a hub.
      '';
    };

    openFirewall = mkOption {
      type = types.bool;
      default = true;
      example = false;
      description = ''
        Whether the firewall lets in visitors, tunnels and, as far as there are any here, boxes that
        register and questions about the zone.
      '';
    };

    settings = mkOption {
      type =
        with types;
        attrsOf (oneOf [
          bool
          int
          common.flagText
          (listOf common.flagText)
        ]);
      default = { };
      example = {
        enrol-max = 64;
        advertise-host = "gateway.local";
      };
      description = ''
        Further flags of losos-registrar(8), without their dashes, for its configuration file. They win
        over what the other options say.
      '';
    };
  };
}
