# The door to the mesh: boxes that join an rke2 cluster through this hub.
{ config, lib, ... }:

let
  inherit (lib) mkOption types;
  common = import ../../common.nix { inherit lib; };
  cfg = config.losos.edge;
  cluster = cfg.cluster;
  needed = {
    inherit (cluster)
      agentTokenFile
      serverAddr
      kubeApi
      kubeTokenFile
      kubeCaFile
      ;
  };
  missing = lib.attrNames (lib.filterAttrs (_: value: value == null) needed);
in
{
  options.losos.edge.cluster = {
    enable = mkOption {
      type = types.bool;
      default = false;
      example = true;
      description = "Whether tenants with `cluster` may join the mesh here.";
    };

    agentTokenFile = mkOption {
      type = types.nullOr common.file;
      default = null;
      example = "/etc/losos/tokens/mesh-agent";
      description = "The token that a new member joins with, for the user `losos-edge` to read.";
    };

    serverAddr = mkOption {
      type = types.nullOr (types.strMatching "[^\"'#\\[:space:]]{1,300}");
      default = null;
      example = "https://10.0.0.1:9345";
      description = "Where a new member joins.";
    };

    kubeApi = mkOption {
      type = types.nullOr (
        types.strMatching "https://[A-Za-z0-9.:-]+|https://\\[[0-9A-Fa-f:.]+](:[0-9]+)?"
      );
      default = null;
      example = "https://10.0.0.1:6443";
      description = "The cluster's API server, where a member's stale node is deleted.";
    };

    kubeTokenFile = mkOption {
      type = types.nullOr common.file;
      default = null;
      example = "/etc/losos/tokens/kube";
      description = "The registrar's token at the API server, for the user `losos-edge` to read.";
    };

    kubeCaFile = mkOption {
      type = types.nullOr common.file;
      default = null;
      example = "/etc/losos/kube-ca.pem";
      description = "Who signed the API server's certificate; nobody else is believed.";
    };

    computeWindowsFile = mkOption {
      type = types.nullOr common.file;
      default = "/var/lib/losos-registrar/compute-windows.json";
      example = "/var/lib/losos-registrar/compute-windows.json";
      description = "Where it is written when members lend their processors, and who is idle.";
    };
  };

  config = lib.mkIf (cfg.enable && cluster.enable) {
    losos.edge.settings = lib.mapAttrs (_: lib.mkOptionDefault) (
      lib.filterAttrs (_: value: value != null) {
        mesh-agent-token-file = cluster.agentTokenFile;
        mesh-server-addr = cluster.serverAddr;
        kube-api = cluster.kubeApi;
        kube-token-file = cluster.kubeTokenFile;
        kube-ca-file = cluster.kubeCaFile;
        compute-windows-file = cluster.computeWindowsFile;
      }
    );

    assertions = [
      {
        assertion = missing == [ ];
        message = ''
          losos.edge.cluster.enable needs losos.edge.cluster.${lib.concatStringsSep ", " missing} as well.
        '';
      }
      {
        assertion = !cfg.gateway.enable;
        message = ''
          losos.edge.cluster.enable with losos.edge.gateway.enable: the mesh is joined at a hub.
        '';
      }
    ]
    ++ common.secretAssertions {
      "losos.edge.cluster.agentTokenFile" = cluster.agentTokenFile;
      "losos.edge.cluster.kubeTokenFile" = cluster.kubeTokenFile;
    };
  };
}
