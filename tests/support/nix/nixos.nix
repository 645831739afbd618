# The options of NixOS that our modules set, and no others: a name that is spelled wrong is an error here,
# as it is there.
{
  config,
  lib,
  pkgs,
  ...
}:

let
  inherit (lib) mkOption types;
  option = type: default: mkOption { inherit type default; };
  switch = option types.bool false;
  texts = option (types.listOf types.str) [ ];
  # A setting of a unit: several values are several lines.
  setting = types.attrsOf (
    types.oneOf [
      types.bool
      types.int
      types.str
      (types.listOf types.str)
    ]
  );

  unit = {
    enable = option types.bool true;
    description = option types.str "";
    wantedBy = texts;
    before = texts;
    after = texts;
    wants = texts;
    aliases = texts;
    unitConfig = option setting { };
    restartTriggers = option (types.listOf types.unspecified) [ ];
  };
  service = unit // {
    serviceConfig = option setting { };
    environment = option (types.attrsOf types.str) { };
    path = option (types.listOf types.package) [ ];
    script = option types.lines "";
    enableDefaultPath = option types.bool true;
  };
  units = options: option (types.attrsOf (types.submodule { inherit options; })) { };

  file = {
    options = {
      text = option (types.nullOr types.lines) null;
      source = option (types.nullOr types.path) null;
      mode = option types.str "symlink";
      user = option types.str "root";
      group = option types.str "root";
    };
  };
  user = {
    options = {
      isSystemUser = switch;
      group = option types.str "";
      description = option types.str "";
      initialPassword = option (types.nullOr types.str) null;
    };
  };
in
{
  options = {
    assertions = option (types.listOf types.attrs) [ ];
    warnings = texts;

    environment.etc = option (types.attrsOf (types.submodule file)) { };
    environment.systemPackages = option (types.listOf types.package) [ ];

    systemd = {
      package = option types.package pkgs.systemd;
      packages = option (types.listOf types.package) [ ];
      services = units service;
      targets = units unit;
      paths = units (unit // { pathConfig = option setting { }; });
      timers = units (unit // { timerConfig = option setting { }; });
      tmpfiles.rules = texts;
    };

    users.mutableUsers = option types.bool true;
    users.users = option (types.attrsOf (types.submodule user)) { };
    users.groups = option (types.attrsOf (types.submodule { })) { };

    networking = {
      hostName = option types.str "nixos";
      hosts = option (types.attrsOf (types.listOf types.str)) { };
      useDHCP = option types.bool true;
      firewall.allowedTCPPorts = option (types.listOf types.port) [ ];
      firewall.allowedUDPPorts = option (types.listOf types.port) [ ];
      firewall.trustedInterfaces = texts;
    };

    services = {
      avahi = {
        enable = switch;
        nssmdns4 = switch;
        publish.enable = switch;
        publish.addresses = switch;
      };
      knot = {
        enable = switch;
        package = option types.package pkgs.knot-dns;
        settingsFile = option (types.nullOr types.path) null;
      };
      nginx.enable = switch;
      nginx.virtualHosts = option (types.attrsOf types.attrs) { };
      openssh.enable = switch;
      openssh.settings = option types.attrs { };
      getty.greetingLine = option types.str "";
      getty.helpLine = option types.lines "";
      traefik.enable = switch;
    };

    security.pki.certificateFiles = option (types.listOf types.path) [ ];

    boot = {
      growPartition = switch;
      kernelParams = texts;
      loader.timeout = option types.int 5;
      loader.grub.device = option types.str "";
      loader.grub.efiSupport = switch;
      loader.grub.efiInstallAsRemovable = switch;
    };
    fileSystems = option (types.attrsOf types.attrs) { };

    nixpkgs.hostPlatform = option types.str "";
    system = {
      build = option (types.attrsOf types.unspecified) { };
      stateVersion = option types.str "";
      etc.overlay.enable = switch;
      etc.overlay.mutable = option types.bool true;
    };
    virtualisation.vlans = option (types.listOf types.int) [ 1 ];
    virtualisation.memorySize = option types.int 1024;
  };

  config = {
    # As NixOS, which gives help of its own.
    services.getty.helpLine = "NixOS";
    systemd.services = lib.mkIf config.services.openssh.enable {
      sshd.wantedBy = [ "multi-user.target" ];
    };
  };
}
