# The registrar: its flags, its tenants, its user.
{ config, lib, ... }:

let
  common = import ../../common.nix { inherit lib; };
  cfg = config.losos.edge;
  isHub = !cfg.gateway.enable;

  flags = {
    listen = common.socketAddress cfg.registrarApiBind cfg.registrarApiPort;
    tenants-file = "/etc/losos/tenants.json";
    rathole-config = "/etc/rathole/server.toml";
    rathole-bind-addr = cfg.ratholeBindAddr;
    rathole-bind-port = cfg.ratholeBindPort;
    port-range = cfg.ratholePortRange;
    heartbeat-ttl = cfg.heartbeatTtl;
    reconcile-interval = cfg.reconcileInterval;
    bootstrap-token-file = cfg.bootstrapTokenFile;
    noise-private-key-file = cfg.noisePrivateKeyFile;
    public-domain = cfg.publicDomain;
    public-host = cfg.publicHost;
    reserved-host = cfg.reservedHosts;
  };

  tenants = lib.mapAttrs (_: tenant: {
    inherit (tenant) hostname cluster market;
    token_file = tenant.tokenFile;
    relay_zone = tenant.relayZone;
  }) cfg.tenants;

  range = map lib.toIntBase10 (lib.splitString "-" cfg.ratholePortRange);
  first = lib.head range;
  last = lib.last range;
  within = port: first <= port && port <= last;

  isDnsLabel = id: builtins.match "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?" id != null;
  hostnames = map lib.toLower (
    lib.mapAttrsToList (_: tenant: tenant.hostname) cfg.tenants
    ++ cfg.reservedHosts
    ++ lib.optional (cfg.publicHost != null) cfg.publicHost
  );
  heldTwice = lib.unique (
    lib.filter (name: lib.count (other: other == name) hostnames > 1) hostnames
  );
in
{
  config = lib.mkIf cfg.enable {
    # Lowest of all, so that a module of the edge, and then the operator, may say otherwise.
    losos.edge.settings = lib.mapAttrs (_: lib.mkOptionDefault) (
      lib.filterAttrs (_: value: value != null) flags
    );

    environment.etc."losos/losos-registrar.toml".text = common.flagsFile cfg.settings;
    environment.etc."losos/tenants.json".text = builtins.toJSON tenants + "\n";

    users = common.usersOf ../../../units/sysusers.d/losos-edge.conf;
    systemd.tmpfiles.rules = common.tmpfilesRules ../../../units/tmpfiles.d/losos-edge.conf;

    systemd.targets.${if isHub then "losos-hub" else "losos-gateway"}.wantedBy = [
      "multi-user.target"
    ];
    # They read it once, at their start; the tenants they follow.
    systemd.services.losos-registrar.restartTriggers = [
      config.environment.etc."losos/losos-registrar.toml".text
    ];
    # It makes keys and tokens with a script.
    systemd.services.losos-registrar-seed.enableDefaultPath = true;
    systemd.services.losos-dns-reload-look.enableDefaultPath = true;

    assertions = [
      {
        assertion = first <= last;
        message = ''
          losos.edge.ratholePortRange "${cfg.ratholePortRange}" ends before it begins.
        '';
      }
      {
        assertion = last <= 65535;
        message = ''
          losos.edge.ratholePortRange "${cfg.ratholePortRange}" goes beyond the last port, 65535.
        '';
      }
      {
        assertion = !within cfg.registrarApiPort && !within cfg.ratholeBindPort;
        message = ''
          losos.edge.ratholePortRange "${cfg.ratholePortRange}" covers registrarApiPort or ratholeBindPort:
          a tunnel would be given a port that is taken.
        '';
      }
      {
        assertion = cfg.registrarApiPort != cfg.ratholeBindPort;
        message = ''
          losos.edge.registrarApiPort and losos.edge.ratholeBindPort are both
          ${toString cfg.ratholeBindPort}: two programs cannot have one port.
        '';
      }
      {
        assertion = lib.all isDnsLabel (lib.attrNames cfg.tenants);
        message = ''
          losos.edge.tenants: ${
            lib.concatStringsSep ", " (lib.filter (id: !isDnsLabel id) (lib.attrNames cfg.tenants))
          } is no id. An id has 1 to 63 characters of a-z, 0-9 and -, and no - at either end.
        '';
      }
      {
        assertion = heldTwice == [ ];
        message = ''
          losos.edge: ${lib.concatStringsSep ", " heldTwice} is given twice, as a tenant's hostname, as
          publicHost or among reservedHosts. A name belongs to one of them.
        '';
      }
    ]
    ++ common.secretAssertions (
      {
        "losos.edge.bootstrapTokenFile" = cfg.bootstrapTokenFile;
        "losos.edge.noisePrivateKeyFile" = cfg.noisePrivateKeyFile;
      }
      // lib.mapAttrs' (
        id: tenant: lib.nameValuePair "losos.edge.tenants.${id}.tokenFile" tenant.tokenFile
      ) cfg.tenants
    );
  };
}
