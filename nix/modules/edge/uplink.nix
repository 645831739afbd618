# A gateway's uplink: which hub its boxes are relayed to.
{ config, lib, ... }:

let
  inherit (lib) mkOption types;
  common = import ../../common.nix { inherit lib; };
  cfg = config.losos.edge;
  up = cfg.uplink;

  # The first is what losos-edge was told; what the options say has a place of its own, so that neither ever
  # overwrites the other.
  kept = "/var/lib/losos-edge/uplink.json";
  declaredDir = "/var/lib/losos-edge/declared";
  parts = {
    inherit (up)
      registrarUrl
      ratholeEndpoint
      id
      tokenFile
      ;
  };
  missing = lib.attrNames (lib.filterAttrs (_: value: value == null) parts);

  declaration = lib.filterAttrs (_: value: value != null) {
    registrar_url = up.registrarUrl;
    rathole_endpoint = up.ratholeEndpoint;
    id = up.id;
    token_file = up.tokenFile;
    bootstrap_token_file = up.bootstrapTokenFile;
    noise_public_key_file = up.noisePublicKeyFile;
  };
  isDeclared = declaration != { };

  uplinkFile = if isDeclared then "${declaredDir}/uplink.json" else up.configFile;
  directory = builtins.dirOf uplinkFile;
  isMoved = uplinkFile != kept;
  names = [
    "losos-uplink"
    "losos-rathole-uplink"
    "losos-rathole-uplink-stop"
  ];
in
{
  options.losos.edge.uplink = {
    enable = mkOption {
      type = types.bool;
      default = cfg.gateway.enable;
      defaultText = lib.literalExpression "config.losos.edge.gateway.enable";
      example = true;
      description = ''
        Whether this gateway's boxes are relayed to a hub, as soon as one is named: by the options below, or
        by `losos-edge uplink set`. A hub that the options name is there again after each boot and switch,
        whatever was typed meanwhile.
      '';
    };

    registrarUrl = mkOption {
      type = types.nullOr common.url;
      default = null;
      example = "https://edge.losos.example";
      description = ''
        The hub's registrar. With `http` the gateway's token crosses the network for everybody to read.
      '';
    };

    ratholeEndpoint = mkOption {
      type = types.nullOr common.endpoint;
      default = null;
      example = "edge.losos.example:2333";
      description = "Where the hub takes tunnels.";
    };

    id = mkOption {
      type = types.nullOr common.dnsLabel;
      default = null;
      example = "acme";
      description = "Who this gateway is at the hub.";
    };

    tokenFile = mkOption {
      type = types.nullOr common.file;
      default = null;
      example = "/etc/losos/tokens/uplink";
      description = "The file with the gateway's token, for the user `losos-edge` to read.";
    };

    bootstrapTokenFile = mkOption {
      type = types.nullOr common.file;
      default = null;
      example = "/etc/losos/tokens/uplink-bootstrap";
      description = "The token that tunnels to the hub start with; without it the gateway's own.";
    };

    noisePublicKeyFile = mkOption {
      type = types.nullOr common.file;
      default = null;
      example = "/etc/losos/hub-noise.pub";
      description = "The hub's Noise key; without it the first contact fixes it.";
    };

    configFile = mkOption {
      type = common.file;
      default = kept;
      example = "/var/lib/losos-edge/uplink.json";
      description = ''
        The uplink.json(5) that names the hub where the options above do not. `losos-edge uplink set` writes
        it. Its directory is the user `losos-edge`'s.
      '';
    };

    interval = mkOption {
      type = common.duration;
      default = "20s";
      example = "30s";
      description = ''
        How often the hub hears of this gateway; changes are told at once besides. The hub forgets a gateway
        after its own heartbeatTtl.
      '';
    };
  };

  config = lib.mkMerge [
    (lib.mkIf (cfg.enable && up.enable) {
      systemd.services.losos-rathole-uplink.serviceConfig.ExecSearchPath =
        "${config.losos.ratholePackage}/bin";
      systemd.services.losos-rathole-uplink-stop.serviceConfig.ExecSearchPath =
        "${config.systemd.package}/bin";
      systemd.services.losos-uplink-look.enableDefaultPath = true;
      # Whoever sets one of a timer's clocks takes them all away first.
      systemd.timers.losos-uplink.timerConfig = lib.mkIf (up.interval != "20s") {
        OnActiveSec = [
          ""
          "1s"
        ];
        OnUnitActiveSec = if lib.isInt up.interval then "${toString up.interval}s" else up.interval;
      };

      assertions = [
        {
          assertion = cfg.gateway.enable;
          message = ''
            losos.edge.uplink.enable needs losos.edge.gateway.enable: a hub has nobody to relay its boxes to.
          '';
        }
        {
          assertion = isDeclared -> missing == [ ];
          message = ''
            losos.edge.uplink: ${lib.concatStringsSep ", " missing} is missing. A hub is named by registrarUrl,
            ratholeEndpoint, id and tokenFile, or by configFile alone.
          '';
        }
        {
          assertion = isDeclared -> up.configFile == kept;
          message = ''
            losos.edge.uplink.configFile beside registrarUrl, ratholeEndpoint, id and tokenFile: only one of
            them can name the hub.
          '';
        }
        {
          assertion = builtins.baseNameOf up.configFile == "uplink.json";
          message = ''
            losos.edge.uplink.configFile "${up.configFile}" is not called uplink.json, the name by which
            losos-edge looks for it.
          '';
        }
      ]
      ++ common.secretAssertions {
        "losos.edge.uplink.tokenFile" = up.tokenFile;
        "losos.edge.uplink.bootstrapTokenFile" = up.bootstrapTokenFile;
      };
    })

    (lib.mkIf (cfg.enable && up.enable && isMoved) {
      environment.etc."losos/losos-uplink.toml".text = common.flagsFile {
        uplink-file = uplinkFile;
        hub-noise-file = "${directory}/hub-noise.pub";
      };
      environment.etc."losos/losos-edge.toml".text = common.flagsFile { edge-dir = directory; };
      systemd.services.losos-uplink.serviceConfig.ReadWritePaths = [ "-${directory}" ];
      systemd.paths.losos-uplink.pathConfig.PathChanged = [ uplinkFile ];
    })

    (lib.mkIf (cfg.enable && up.enable && isDeclared) {
      # With the owner and the mode of the one that losos-edge writes.
      systemd.tmpfiles.rules = [
        "d ${declaredDir} 0700 losos-edge losos-edge -"
        "f+ ${uplinkFile} 0600 losos-edge losos-edge - ${builtins.toJSON declaration}"
      ];
    })

    # The gateway's target wants them; a masked unit it does without.
    (lib.mkIf (cfg.enable && cfg.gateway.enable && !up.enable) {
      systemd.services = lib.genAttrs (names ++ [ "losos-uplink-look" ]) (_: {
        enable = false;
      });
      systemd.paths = lib.genAttrs names (_: {
        enable = false;
      });
      systemd.timers.losos-uplink.enable = false;
    })
  ];
}
