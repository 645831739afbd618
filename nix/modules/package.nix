# Where the programs come from. Shared by the modules of an edge and of a box, which one machine may both
# import.
{
  config,
  lib,
  pkgs,
  ...
}:

let
  cfg = config.losos;
in
{
  options.losos = {
    package = lib.mkOption {
      type = lib.types.package;
      default = pkgs.callPackage ../package.nix { };
      defaultText = lib.literalExpression "pkgs.callPackage ./nix/package.nix { }";
      example = lib.literalExpression "losos.packages.x86_64-linux.default";
      description = "The LosOS tools, with the systemd units that these modules use.";
    };

    ratholePackage = lib.mkOption {
      type = lib.types.package;
      default = pkgs.rathole;
      defaultText = lib.literalExpression "pkgs.rathole";
      example = lib.literalExpression "pkgs.rathole";
      description = "rathole, which carries the tunnels.";
    };

    traefikPackage = lib.mkOption {
      type = lib.types.package;
      default = pkgs.traefik;
      defaultText = lib.literalExpression "pkgs.traefik";
      example = lib.literalExpression "pkgs.traefik";
      description = "Traefik, of the third major version, which lets visitors in on an edge.";
    };
  };

  config = lib.mkIf (config.losos.edge.enable or false || config.losos.proxy.enable or false) {
    environment.systemPackages = [ cfg.package ];
    systemd.packages = [ cfg.package ];

    assertions = [
      {
        assertion = !(config.losos.edge.enable or false && config.losos.proxy.enable or false);
        message = ''
          losos.edge.enable and losos.proxy.enable on one machine: an edge's Traefik and a box's web server
          both want port 80. Give each a machine of its own.
        '';
      }
      {
        assertion =
          !(config.system.etc.overlay.enable or false && !(config.system.etc.overlay.mutable or true));
        message = ''
          system.etc.overlay.mutable is off: the tools write their tunnels and routers below /etc, and
          Traefik, rathole and Avahi read them there.
        '';
      }
    ];
  };
}
