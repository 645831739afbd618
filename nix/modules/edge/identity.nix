# What makes a hub official.
{ config, lib, ... }:

let
  inherit (lib) mkOption types;
  common = import ../../common.nix { inherit lib; };
  cfg = config.losos.edge;
in
{
  options.losos.edge.identity = {
    keyFile = mkOption {
      type = types.nullOr common.file;
      default = null;
      example = "/var/lib/losos-registrar/identity.key";
      description = "This edge's identity key, made by `losos-registrar identity keygen`.";
    };

    certFile = mkOption {
      type = types.nullOr common.file;
      default = null;
      example = "/var/lib/losos-registrar/identity.cert.json";
      description = ''
        The certificate that the root signed, put there by `losos-registrar identity install`. It is no
        secret. Changes are followed without a restart.
      '';
    };
  };

  config = lib.mkIf cfg.enable {
    losos.edge.settings = lib.mkMerge [
      (lib.mkIf (cfg.identity.keyFile != null) {
        identity-key-file = lib.mkOptionDefault cfg.identity.keyFile;
      })
      (lib.mkIf (cfg.identity.certFile != null) {
        identity-cert-file = lib.mkOptionDefault cfg.identity.certFile;
      })
    ];

    assertions = [
      {
        assertion = (cfg.identity.keyFile == null) == (cfg.identity.certFile == null);
        message = ''
          losos.edge.identity.keyFile and losos.edge.identity.certFile need each other: a key without a
          certificate is believed by nobody, and no nonce is signed without a key.
        '';
      }
      {
        assertion = cfg.identity.keyFile != null -> !cfg.gateway.enable;
        message = ''
          losos.edge.identity with losos.edge.gateway.enable: only a hub can be official.
        '';
      }
    ]
    ++ common.secretAssertions { "losos.edge.identity.keyFile" = cfg.identity.keyFile; };
  };
}
