# Configurations, and what is to become of each: `accepted` ones work, `asserted` ones fail the assertion
# that they are named after, `refused` ones are of the wrong type.
{ lib, modules }:

let
  edge = settings: [
    modules.edge
    {
      losos.edge = {
        enable = true;
      }
      // settings;
    }
  ];
  hubWith =
    settings:
    edge (
      lib.recursiveUpdate {
        publicDomain = "losos.example";
        acmeEmail = "hostmaster@losos.example";
        tenants.acme = {
          hostname = "acme.losos.example";
          tokenFile = "/etc/losos/tokens/acme";
          relayZone = "acme.losos.example";
        };
      } settings
    );
  gatewayWith = settings: [
    modules.edge-gateway
    { losos.edge = settings; }
  ];
  boxWith = settings: [
    modules.box
    {
      losos.proxy = {
        enable = true;
        applianceId = "mattbox";
        hostname = "mattbox.acme.losos.example";
      }
      // settings;
    }
  ];

  identity = {
    keyFile = "/var/lib/losos-registrar/identity.key";
    certFile = "/var/lib/losos-registrar/identity.cert.json";
  };
  dns = {
    enable = true;
    zone = "boxes.losos.example";
    nameservers = [ "edge.losos.example" ];
    ipv4 = [ "198.51.100.1" ];
  };
  cluster = {
    enable = true;
    agentTokenFile = "/etc/losos/tokens/mesh-agent";
    serverAddr = "https://10.0.0.1:9345";
    kubeApi = "https://10.0.0.1:6443";
    kubeTokenFile = "/etc/losos/tokens/kube";
    kubeCaFile = "/etc/losos/tokens/kube-ca.pem";
  };
  uplink = {
    registrarUrl = "https://edge.losos.example";
    ratholeEndpoint = "edge.losos.example:2333";
    id = "acme";
    tokenFile = "/etc/losos/tokens/uplink";
  };
  stored = "${builtins.storeDir}/00000000000000000000000000000000-token";
in
{
  accepted = {
    nothing = [
      modules.edge
      modules.edge-gateway
      modules.box
      { losos.edge.enable = false; }
    ];

    hub = hubWith { };
    hub-without-tenants = edge {
      publicDomain = "losos.example";
      acmeEmail = "hostmaster@losos.example";
    };
    hub-of-another-name = hubWith {
      publicHost = "door.losos.example";
      reservedHosts = [
        "www.losos.example"
        "mail.losos.example"
      ];
      acmeServer = "https://acme.example/directory";
    };
    hub-with-a-mixed-crowd = hubWith {
      tenants.zoe = {
        hostname = "Zoe.losos.example";
        tokenFile = "/etc/losos/tokens/zoe";
        cluster = true;
        market = true;
      };
      tenants.globex = {
        hostname = "globex.losos.example";
        tokenFile = "/etc/losos/tokens/globex";
        relayZone = "globex.losos.example";
      };
    };
    hub-on-other-ports = hubWith {
      registrarApiPort = 9443;
      ratholeBindAddr = "::";
      ratholeBindPort = 2444;
      ratholePortRange = "10000-31999";
    };
    hub-that-listens-on-ipv6 = hubWith { registrarApiBind = "::1"; };
    hub-with-other-times = hubWith {
      heartbeatTtl = 240;
      reconcileInterval = "1500ms";
    };
    hub-with-secrets-elsewhere = hubWith {
      bootstrapTokenFile = "/etc/losos/tokens/bootstrap";
      noisePrivateKeyFile = "/etc/losos/tokens/noise.key";
    };
    hub-without-noise = hubWith { noisePrivateKeyFile = null; };
    hub-official = hubWith { inherit identity; };
    hub-with-domains = hubWith { inherit identity dns; };
    hub-with-domains-in-full = hubWith {
      inherit identity;
      dns = dns // {
        zone = "Names.Losos.example";
        nameservers = [
          "edge.losos.example"
          "ns.losos.example"
        ];
        hostmaster = "host.master@losos.example";
        ipv4 = [
          "198.51.100.1"
          "198.51.100.2"
        ];
        ipv6 = [ "2001:db8::1" ];
        checkUrl = "https://dns.google/resolve";
      };
    };
    hub-with-domains-and-no-routes = hubWith {
      inherit identity;
      dns = dns // {
        ipv4 = [ ];
        ipv6 = [ "2001:db8::1" ];
        checkUrl = null;
        relayRoutes.enable = false;
      };
    };
    hub-with-a-mesh = hubWith { inherit identity dns cluster; };
    hub-with-further-flags = hubWith {
      settings = {
        port-rest = "5m";
        cert-resolver = "other";
        wildcard-resolver = "wildcard";
        reserved-host = [
          "a.losos.example"
          "b.losos.example"
        ];
      };
    };
    hub-behind-a-firewall-of-its-owner = hubWith { openFirewall = false; };

    gateway = gatewayWith { };
    gateway-by-hand = edge {
      gateway.enable = true;
      registrarApiBind = "192.168.1.10";
      lan.advertise = true;
    };
    gateway-that-is-closed = gatewayWith {
      lan.openEnrolment = false;
      tenants.mattbox = {
        hostname = "mattbox.acme.losos.example";
        tokenFile = "/etc/losos/tokens/mattbox";
      };
    };
    gateway-that-is-silent = edge { gateway.enable = true; };
    gateway-with-a-name = gatewayWith {
      settings = {
        advertise-host = "gateway.local";
        enrol-max = 16;
      };
    };
    gateway-with-a-hub = gatewayWith { inherit uplink; };
    gateway-with-a-hub-in-full = gatewayWith {
      uplink = uplink // {
        bootstrapTokenFile = "/etc/losos/tokens/uplink-bootstrap";
        noisePublicKeyFile = "/etc/losos/tokens/hub-noise.pub";
        interval = "30s";
      };
    };
    gateway-with-a-file-elsewhere = gatewayWith {
      uplink.configFile = "/var/lib/losos-edge/other/uplink.json";
      uplink.interval = 45;
    };
    gateway-without-an-uplink = gatewayWith { uplink.enable = false; };

    box = boxWith { };
    box-with-an-edge = boxWith {
      registrarUrl = "https://edge.losos.example";
      edgeRatholeEndpoint = "edge.losos.example:2333";
      rootKeyFile = "/etc/losos/tokens/root.key.pub";
      heartbeatInterval = 15;
    };
    box-with-secrets-elsewhere = boxWith {
      registrarUrl = "http://[2001:db8::1]:8443";
      edgeRatholeEndpoint = "[2001:db8::1]:2333";
      tokenFile = "/etc/losos/tokens/box";
      bootstrapTokenFile = "/etc/losos/tokens/box-bootstrap";
      noisePublicKeyFile = "/etc/losos/tokens/edge-noise.pub";
    };
  };

  asserted = {
    "both want port 80" = hubWith { } ++ boxWith { };
    "overlay.mutable is off" = hubWith { } ++ [
      {
        system.etc.overlay.enable = true;
        system.etc.overlay.mutable = false;
      }
    ];
    "ends before it begins" = hubWith { ratholePortRange = "20000-19999"; };
    "goes beyond the last port" = hubWith { ratholePortRange = "65000-66000"; };
    "a tunnel would be given a port that is taken" = hubWith { ratholeBindPort = 20500; };
    "two programs cannot have one port" = hubWith { registrarApiPort = 2333; };
    "is no id" = hubWith {
      tenants.Acme_2 = {
        hostname = "a2.losos.example";
        tokenFile = "/etc/losos/tokens/a2";
      };
    };
    "is given twice" = hubWith {
      tenants.other = {
        hostname = "ACME.losos.example";
        tokenFile = "/etc/losos/tokens/other";
      };
    };
    "A hub needs losos.edge.publicDomain" = edge { acmeEmail = "hostmaster@losos.example"; };
    "A hub needs losos.edge.acmeEmail" = edge { publicDomain = "losos.example"; };
    "two cannot have ports 80 and 443" = hubWith { } ++ [ { services.traefik.enable = true; } ];
    "lan.openEnrolment needs" = gatewayWith { lan.advertise = false; };
    "only a gateway is told to a LAN" = hubWith {
      registrarApiBind = "0.0.0.0";
      lan.advertise = true;
    };
    "nobody on the LAN can reach" = gatewayWith { registrarApiBind = "127.0.0.1"; };
    "need each other: a key without a certificate" = hubWith { identity.keyFile = identity.keyFile; };
    "only a hub can be official" = gatewayWith { inherit identity; };
    "a hub has nobody to relay its boxes to" = hubWith { uplink.enable = true; };
    "losos.edge.uplink: id, tokenFile is missing. A hub is named by" = gatewayWith {
      uplink = {
        inherit (uplink) registrarUrl ratholeEndpoint;
        noisePublicKeyFile = "/etc/losos/hub-noise.pub";
      };
    };
    "only one of them can name the hub" = gatewayWith {
      uplink = uplink // {
        configFile = "/var/lib/losos-edge/other/uplink.json";
      };
    };
    "is not called uplink.json" = gatewayWith { uplink.configFile = "/var/lib/losos-edge/hub.json"; };
    "a name for the zone of the boxes" = hubWith {
      inherit identity;
      dns = removeAttrs dns [ "zone" ];
    };
    "a zone without a name server is none" = hubWith {
      inherit identity;
      dns = removeAttrs dns [ "nameservers" ];
    };
    "every name in the zone leads" = hubWith {
      inherit identity;
      dns = removeAttrs dns [ "ipv4" ];
    };
    "only an official edge offers domains" = hubWith { inherit dns; };
    "only a hub offers domains" = gatewayWith { inherit dns; };
    "cluster.enable needs losos.edge.cluster.kubeApi, kubeCaFile as well" = hubWith {
      cluster = removeAttrs cluster [
        "kubeApi"
        "kubeCaFile"
      ];
    };
    "the mesh is joined at a hub" = gatewayWith { inherit cluster; };
    "an edge is called at" = boxWith { registrarUrl = "https://edge.losos.example"; };

    "losos.edge.bootstrapTokenFile is in the Nix store" = hubWith { bootstrapTokenFile = stored; };
    "losos.edge.noisePrivateKeyFile is in the Nix store" = hubWith { noisePrivateKeyFile = stored; };
    "losos.edge.tenants.acme.tokenFile is in the Nix store" = hubWith {
      tenants.acme.tokenFile = stored;
    };
    "losos.edge.identity.keyFile is in the Nix store" = hubWith {
      identity = identity // {
        keyFile = stored;
      };
    };
    "losos.edge.uplink.tokenFile is in the Nix store" = gatewayWith {
      uplink = uplink // {
        tokenFile = stored;
      };
    };
    "losos.edge.uplink.bootstrapTokenFile is in the Nix store" = gatewayWith {
      uplink = uplink // {
        bootstrapTokenFile = stored;
      };
    };
    "losos.edge.cluster.agentTokenFile is in the Nix store" = hubWith {
      cluster = cluster // {
        agentTokenFile = stored;
      };
    };
    "losos.edge.cluster.kubeTokenFile is in the Nix store" = hubWith {
      cluster = cluster // {
        kubeTokenFile = stored;
      };
    };
    "losos.proxy.tokenFile is in the Nix store" = boxWith { tokenFile = stored; };
    "losos.proxy.bootstrapTokenFile is in the Nix store" = boxWith { bootstrapTokenFile = stored; };
  };

  refused = {
    an-option-that-there-is-none = hubWith { publicDomian = "losos.example"; };
    a-domain-with-a-blank = hubWith { publicDomain = "losos example"; };
    a-token-as-a-nix-path = hubWith { tenants.acme.tokenFile = ./cases.nix; };
    a-token-file-with-a-quote = hubWith { bootstrapTokenFile = "/etc/a\"b"; };
    a-duration-of-nothing = hubWith { heartbeatTtl = "0s"; };
    a-duration-in-days = hubWith { heartbeatTtl = "2d"; };
    a-port-beyond-the-last = hubWith { ratholeBindPort = 70000; };
    a-range-of-one-number = hubWith { ratholePortRange = "20000"; };
    a-tenant-without-a-hostname = hubWith { tenants.new.tokenFile = "/etc/losos/tokens/new"; };
    a-flag-with-a-line-break = hubWith { settings.advertise-host = "a\nlisten = \"0.0.0.0:1\""; };
    an-uplink-with-a-path = gatewayWith {
      uplink = uplink // {
        registrarUrl = "https://edge.losos.example/relay";
      };
    };
    an-endpoint-without-a-port = gatewayWith {
      uplink = uplink // {
        ratholeEndpoint = "edge.losos.example";
      };
    };
    an-api-server-in-the-clear = hubWith {
      cluster = cluster // {
        kubeApi = "http://10.0.0.1:6443";
      };
    };
    a-box-without-a-name = [
      modules.box
      {
        losos.proxy.enable = true;
        losos.proxy.applianceId = "mattbox";
      }
    ];
    a-box-with-an-id-in-capitals = boxWith { applianceId = "MattBox"; };
  };
}
