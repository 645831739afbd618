# Traefik on an edge, with the configuration that the project ships.
{ config, lib, ... }:

let
  common = import ../../common.nix { inherit lib; };
  cfg = config.losos.edge;
  isHub = !cfg.gateway.enable;

  static = common.replace ../../../units/traefik/traefik.yml (
    lib.optional (cfg.acmeEmail != null) {
      from = "      # email: hostmaster@example.org\n";
      to = "      email: ${cfg.acmeEmail}\n";
    }
    ++ lib.optional (cfg.acmeServer != null) {
      from = "      storage: /var/lib/losos-traefik/acme.json\n";
      to = ''
        ${"      "}caServer: ${cfg.acmeServer}
        ${"      "}storage: /var/lib/losos-traefik/acme.json
      '';
    }
  );

  # Traefik calls the registrar where it listens; where that is everywhere, on loopback.
  callable =
    {
      "0.0.0.0" = "127.0.0.1";
      "::" = "::1";
    }
    .${cfg.registrarApiBind} or cfg.registrarApiBind;
  route = common.replace ../../../units/traefik/losos-register.yml [
    {
      from = "http://127.0.0.1:8443\n";
      to = "http://${common.socketAddress callable cfg.registrarApiPort}\n";
    }
  ];
in
{
  config = lib.mkIf cfg.enable {
    environment.etc = {
      "losos/traefik.yml".text = static;
    }
    // lib.optionalAttrs isHub {
      "losos/traefik.env".text = "LOSOS_PUBLIC_HOST=${toString cfg.publicHost}\n";
      "traefik/dynamic/losos-register.yml".text = route;
    };

    systemd.services.losos-traefik = {
      serviceConfig.ExecSearchPath = "${config.losos.traefikPackage}/bin";
      restartTriggers = [
        static
      ]
      ++ lib.optionals isHub [
        route
        config.environment.etc."losos/traefik.env".text
      ];
    };

    networking.firewall.allowedTCPPorts = lib.mkIf cfg.openFirewall [
      80
      443
    ];

    assertions = [
      {
        assertion = isHub -> cfg.publicHost != null;
        message = ''
          A hub needs losos.edge.publicDomain, or losos.edge.publicHost: without a name nobody can call it
          over TLS.
        '';
      }
      {
        assertion = isHub -> cfg.acmeEmail != null;
        message = ''
          A hub needs losos.edge.acmeEmail: without it Traefik makes a new account at the ACME server after
          every start, until the server refuses.
        '';
      }
      {
        assertion = !(config.services.traefik.enable or false);
        message = ''
          services.traefik.enable and losos.edge.enable: an edge runs a Traefik of its own, and two cannot
          have ports 80 and 443. Put further routers into /etc/traefik/dynamic.
        '';
      }
    ];
  };
}
