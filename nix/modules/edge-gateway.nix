# A gateway as most people want one: it is found on the LAN, takes in every box, and relays them to the
# hub its owner names with "losos-edge uplink set".
{ lib, ... }:

{
  imports = [ ./edge.nix ];

  losos.edge = {
    enable = lib.mkDefault true;
    gateway.enable = lib.mkDefault true;
    registrarApiBind = lib.mkDefault "0.0.0.0";
    lan = {
      advertise = lib.mkDefault true;
      openEnrolment = lib.mkDefault true;
    };
  };
}
