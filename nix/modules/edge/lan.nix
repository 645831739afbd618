# A gateway's LAN: the advert, and boxes that enrol themselves.
{ config, lib, ... }:

let
  inherit (lib) mkOption types;
  cfg = config.losos.edge;
  isLoopback = address: lib.hasPrefix "127." address || address == "::1";
in
{
  options.losos.edge.lan = {
    advertise = mkOption {
      type = types.bool;
      default = false;
      example = true;
      description = ''
        Whether Avahi tells the LAN about this gateway. It then asks no ACME server for anything.
      '';
    };

    openEnrolment = mkOption {
      type = types.bool;
      default = false;
      example = true;
      description = ''
        Whether boxes on the LAN that nobody listed are taken in. Their first contact fixes their token;
        `losos-edge forget` undoes it.
      '';
    };
  };

  config = lib.mkIf cfg.enable {
    losos.edge.settings = lib.mkMerge [
      (lib.mkIf cfg.lan.advertise { lan-advertise = lib.mkOptionDefault true; })
      (lib.mkIf cfg.lan.openEnrolment {
        enrol-dir = lib.mkOptionDefault "/var/lib/losos-registrar/enrolled";
      })
    ];

    services.avahi = lib.mkIf cfg.gateway.enable {
      enable = true;
      publish = {
        enable = true;
        addresses = true;
      };
    };
    # The package's line only changes what is there.
    systemd.tmpfiles.rules = lib.mkIf cfg.gateway.enable [
      "d /etc/avahi/services 1775 root losos-edge -"
    ];

    networking.firewall.allowedTCPPorts = lib.mkIf (
      cfg.openFirewall && cfg.gateway.enable && !isLoopback cfg.registrarApiBind
    ) [ cfg.registrarApiPort ];

    assertions = [
      {
        assertion = cfg.lan.openEnrolment -> cfg.lan.advertise;
        message = ''
          losos.edge.lan.openEnrolment needs losos.edge.lan.advertise: open enrolment is for a LAN. Turn both
          on, or list the tenants.
        '';
      }
      {
        assertion = cfg.lan.advertise -> cfg.gateway.enable;
        message = ''
          losos.edge.lan.advertise needs losos.edge.gateway.enable: only a gateway is told to a LAN.
        '';
      }
      {
        assertion = cfg.lan.advertise -> !isLoopback cfg.registrarApiBind;
        message = ''
          losos.edge.lan.advertise with registrarApiBind "${cfg.registrarApiBind}" would advertise what
          nobody on the LAN can reach. Bind to "0.0.0.0" or to the LAN's address.
        '';
      }
    ];
  };
}
