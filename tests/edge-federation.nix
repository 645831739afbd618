# A hub on the internet, a gateway and a box at home, and a visitor. Run by nobody yet: where this was
# written no NixOS boots. What is not tried here is an ACME server: the hub finds its certificate.
{ pkgs, self }:

let
  hub = "192.168.1.3"; # the third node by name, on the first network
  edgeName = "edge.losos.example";
  boxName = "mattbox.acme.losos.example";
  token = "acme-acme-acme-acme-acme-acme-acme-acme";

  certificates =
    pkgs.runCommand "losos-test-certificates" { nativeBuildInputs = [ pkgs.openssl ]; }
      ''
        mkdir $out
        cd $out
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
          -subj "/CN=LosOS test" -keyout ca.key -out ca.pem
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=${edgeName}" \
          -keyout edge.key -out edge.csr
        printf 'subjectAltName = DNS:${edgeName}, DNS:*.acme.losos.example\n' > names
        openssl x509 -req -in edge.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 3650 \
          -extfile names -out edge.pem
      '';

  believesTheHub = {
    networking.hosts.${hub} = [
      edgeName
      boxName
    ];
    security.pki.certificateFiles = [ "${certificates}/ca.pem" ];
  };

  tokenOf = name: {
    environment.etc."losos/tokens/${name}" = {
      text = token;
      mode = "0600";
      user = "losos-edge";
    };
  };
in
pkgs.testers.runNixOSTest {
  name = "losos-edge-federation";

  nodes = {
    hub = {
      imports = [
        self.nixosModules.edge
        believesTheHub
        (tokenOf "acme")
      ];
      virtualisation.vlans = [ 1 ];
      losos.edge = {
        enable = true;
        publicDomain = "losos.example";
        acmeEmail = "hostmaster@losos.example";
        ratholePortRange = "20000-20999";
        tenants.acme = {
          hostname = "acme.losos.example";
          tokenFile = "/etc/losos/tokens/acme";
          relayZone = "acme.losos.example";
        };
      };
      environment.etc."traefik/dynamic/certificate.yml".text = ''
        tls:
          certificates:
            - certFile: ${certificates}/edge.pem
              keyFile: ${certificates}/edge.key
      '';
    };

    gateway = {
      imports = [
        self.nixosModules.edge-gateway
        believesTheHub
        (tokenOf "uplink")
      ];
      virtualisation.vlans = [
        1
        2
      ];
      losos.edge = {
        ratholePortRange = "20000-20999";
        uplink = {
          registrarUrl = "https://${edgeName}";
          ratholeEndpoint = "${edgeName}:2333";
          id = "acme";
          tokenFile = "/etc/losos/tokens/uplink";
        };
      };
    };

    box = {
      imports = [ self.nixosModules.box ];
      virtualisation.vlans = [ 2 ];
      losos.proxy = {
        enable = true;
        applianceId = "mattbox";
        hostname = boxName;
      };
      services.nginx = {
        enable = true;
        virtualHosts.default.locations."/".return = "200 'Hello from mattbox. Host: $http_host\\n'";
      };
    };

    visitor = {
      imports = [ believesTheHub ];
      virtualisation.vlans = [ 1 ];
      environment.systemPackages = [ pkgs.curl ];
    };
  };

  testScript = ''
    page = "curl --silent --show-error --fail --max-time 10 https://${boxName}/"
    hello = "Hello from mattbox. Host: ${boxName}"

    start_all()
    hub.wait_for_unit("losos-registrar.service")
    hub.wait_for_unit("losos-traefik.service")
    hub.wait_for_open_port(2333)
    gateway.wait_for_unit("losos-gateway.target")
    box.wait_for_unit("losos-box.target")

    with subtest("the box finds the gateway, and a visitor the box"):
        visitor.wait_until_succeeds(f"{page} | grep '{hello}'", timeout=120)
        assert "mattbox\t${boxName}\t" in gateway.succeed("losos-edge boxes")
        assert "acme.mattbox\t${boxName}\t" in hub.succeed("losos-edge boxes")

    with subtest("losos-edge knows the hub that the configuration names"):
        assert "https://${edgeName}" in gateway.succeed("losos-edge uplink show")
        assert "relaying: 1 box" in gateway.succeed("losos-edge status")

    with subtest("what is set up is sound"):
        for machine in hub, gateway, box:
            print(machine.succeed("losos-edge doctor"))

    with subtest("a registrar that is started again keeps its boxes"):
        hub.succeed("systemctl restart losos-registrar.service")
        visitor.succeed(page)

    with subtest("secrets are their owners' alone"):
        for path in "registry.json", "bootstrap.token", "noise.key":
            shown = hub.succeed(f"stat -c '%a %U' /var/lib/losos-registrar/{path}")
            assert shown.strip() == "600 losos-edge", shown

    with subtest("a gateway that is gone takes its boxes along"):
        gateway.succeed("systemctl stop losos-gateway.target")
        visitor.wait_until_fails(page, timeout=300)
        gateway.succeed("systemctl start losos-gateway.target")
        visitor.wait_until_succeeds(page, timeout=120)
  '';
}
