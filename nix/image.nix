# The disk of a gateway: qcow2, for BIOS and UEFI, growing to its disk. Built by nobody yet, as the package.
{
  config,
  lib,
  modulesPath,
  pkgs,
  ...
}:

let
  marker = "/var/lib/losos-edge-first-password";
in
{
  fileSystems."/" = {
    device = "/dev/disk/by-label/nixos";
    fsType = "ext4";
    autoResize = true;
  };
  fileSystems."/boot" = {
    device = "/dev/disk/by-label/ESP";
    fsType = "vfat";
  };

  boot = {
    growPartition = true;
    kernelParams = [
      "console=tty1"
      "console=ttyS0"
    ];
    loader.grub = {
      device = "/dev/vda";
      efiSupport = true;
      efiInstallAsRemovable = true;
    };
    loader.timeout = 1;
  };

  networking.hostName = lib.mkDefault "gateway";
  system.stateVersion = lib.mkDefault "26.05";

  # Root comes in on the console with this password, and has to change it at once.
  users.mutableUsers = true;
  users.users.root.initialPassword = "losos";
  systemd.services.losos-first-password = {
    description = "The first password of root has to be changed";
    wantedBy = [ "multi-user.target" ];
    before = [
      "getty.target"
      "systemd-user-sessions.service"
    ];
    unitConfig.ConditionPathExists = "!${marker}";
    serviceConfig.Type = "oneshot";
    path = [ pkgs.shadow ];
    script = ''
      chage -d 0 root
      touch ${marker}
    '';
  };

  # There, and stopped until "losos-edge ssh on", which knows it by Debian's name.
  services.openssh.enable = true;
  systemd.services.sshd = {
    aliases = [ "ssh.service" ];
    wantedBy = lib.mkForce [ ];
  };
  services.openssh.settings.PermitRootLogin = lib.mkDefault "yes";

  services.getty.greetingLine = "LosOS gateway \\n at \\4 \\6";
  services.getty.helpLine = lib.mkForce ''
    Log in as root; the first password is "losos". Then: losos-edge status
  '';

  system.build.qcow2 = import "${modulesPath}/../lib/make-disk-image.nix" {
    inherit config lib pkgs;
    name = "losos-edge-gateway";
    format = "qcow2";
    partitionTableType = "hybrid";
    diskSize = "auto";
    additionalSpace = "512M";
  };
}
