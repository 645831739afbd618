# A box: a home server that is public through the edges it finds. Its web server listens on port 80.
{ config, lib, ... }:

let
  inherit (lib) mkOption types;
  common = import ../common.nix { inherit lib; };
  cfg = config.losos.proxy;

  secrets = "/var/secrets";
  # What is missing there is made, or pinned, by the tools themselves.
  moved = lib.unique (
    lib.filter (directory: directory != secrets) (
      map builtins.dirOf [
        cfg.tokenFile
        cfg.bootstrapTokenFile
        cfg.noisePublicKeyFile
      ]
    )
  );
  writable = lib.mkIf (moved != [ ]) {
    serviceConfig.ReadWritePaths = map (directory: "-${directory}") moved;
  };

  pathd = common.flagsFile {
    appliance-id = cfg.applianceId;
    registrar-url = cfg.registrarUrl;
    edge-rathole-endpoint = cfg.edgeRatholeEndpoint;
    token-file = cfg.tokenFile;
    bootstrap-token-file = cfg.bootstrapTokenFile;
    noise-public-key-file = cfg.noisePublicKeyFile;
    root-key-file = cfg.rootKeyFile;
  };
  announce = common.flagsFile {
    appliance-id = cfg.applianceId;
    hostname = cfg.hostname;
    registrar-url = cfg.registrarUrl;
    token-file = cfg.tokenFile;
    heartbeat-interval = cfg.heartbeatInterval;
  };
in
{
  imports = [ ./package.nix ];

  options.losos.proxy = {
    enable = mkOption {
      type = types.bool;
      default = false;
      example = true;
      description = "Whether this machine is a box, public through a LosOS edge.";
    };

    registrarUrl = mkOption {
      type = types.nullOr common.url;
      default = null;
      example = "https://edge.losos.example";
      description = ''
        The edge to use while no gateway on the LAN answers. With null there is none, and the box is public
        only through gateways.
      '';
    };

    edgeRatholeEndpoint = mkOption {
      type = types.nullOr common.endpoint;
      default = null;
      example = "edge.losos.example:2333";
      description = "Where that edge takes tunnels.";
    };

    hostname = mkOption {
      type = common.dnsName;
      example = "mattbox.acme.losos.example";
      description = "The name that visitors type.";
    };

    applianceId = mkOption {
      type = common.dnsLabel;
      example = "mattbox";
      description = "This box's id at every edge.";
    };

    tokenFile = mkOption {
      type = common.file;
      default = "${secrets}/losos-proxy-token";
      example = "/run/agenix/losos-proxy-token";
      description = "The secret that proves this box. Made when missing; the user `losos-box` reads it.";
    };

    bootstrapTokenFile = mkOption {
      type = common.file;
      default = "${secrets}/losos-rathole-bootstrap";
      example = "/run/agenix/losos-rathole-bootstrap";
      description = "The token that tunnels start with. Made when missing.";
    };

    noisePublicKeyFile = mkOption {
      type = common.file;
      default = "${secrets}/losos-rathole-noise-pub";
      example = "/etc/losos/edge-noise.pub";
      description = "The Noise key of the configured edge. When missing, the first contact fixes it.";
    };

    rootKeyFile = mkOption {
      type = types.nullOr common.file;
      default = null;
      example = "/etc/losos/root.key.pub";
      description = ''
        The root's public key, by which an edge is found official. It is no secret. With null no edge is.
      '';
    };

    heartbeatInterval = mkOption {
      type = common.duration;
      default = "30s";
      example = "20s";
      description = "How often the edge hears of this box.";
    };
  };

  config = lib.mkIf cfg.enable {
    environment.etc."losos/lososd-pathd.toml".text = pathd;
    environment.etc."losos/losos-announce.toml".text = announce;

    users = common.usersOf ../../units/sysusers.d/losos-box.conf;
    systemd.tmpfiles.rules = common.tmpfilesRules ../../units/tmpfiles.d/losos-box.conf;

    systemd.targets.losos-box.wantedBy = [ "multi-user.target" ];
    systemd.services = {
      lososd-pathd = lib.mkMerge [
        { restartTriggers = [ pathd ]; }
        writable
      ];
      losos-registrar-announce.restartTriggers = [ announce ];
      losos-rathole-client = lib.mkMerge [
        {
          restartTriggers = [ pathd ];
          # A shell starts it.
          path = [ config.losos.ratholePackage ];
        }
        writable
      ];
      # A script that calls sed, grep and systemctl.
      losos-edge-path.enableDefaultPath = true;
    };

    services.avahi = {
      enable = true;
      # So that rathole, too, can dial a gateway by its name.
      nssmdns4 = lib.mkDefault true;
    };

    assertions = [
      {
        assertion = (cfg.registrarUrl == null) == (cfg.edgeRatholeEndpoint == null);
        message = ''
          losos.proxy.registrarUrl and losos.proxy.edgeRatholeEndpoint need each other: an edge is called at
          the one and takes tunnels at the other.
        '';
      }
    ]
    ++ common.secretAssertions {
      "losos.proxy.tokenFile" = cfg.tokenFile;
      "losos.proxy.bootstrapTokenFile" = cfg.bootstrapTokenFile;
    };
  };
}
