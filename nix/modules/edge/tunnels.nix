# rathole on an edge: where systemd finds it, and how many files it may open.
{ config, lib, ... }:

let
  cfg = config.losos.edge;
  range = map lib.toIntBase10 (lib.splitString "-" cfg.ratholePortRange);
  ports = lib.last range - lib.head range + 1;
  # As in losos-rathole.service, which fits the default range.
  descriptors = 16 * ports + 100000;
  limits = lib.optionalAttrs (ports > 10000) { LimitNOFILE = descriptors; };
  search = {
    ExecSearchPath = "${config.losos.ratholePackage}/bin";
  };
in
{
  config = lib.mkIf cfg.enable {
    systemd.services.losos-rathole.serviceConfig = search // limits;
    # It warns by the same number.
    systemd.services.losos-registrar.serviceConfig = limits;
    networking.firewall.allowedTCPPorts = lib.mkIf cfg.openFirewall [ cfg.ratholeBindPort ];
  };
}
