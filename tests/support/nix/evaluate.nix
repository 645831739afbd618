# Everything that the tests want to know of the flake and its modules, as one value: a start of nix costs
# more than all that is evaluated here. `libPath` is the library part of nixpkgs.
{ libPath }:

let
  lib = import libPath;
  root = ../../..;
  system = "x86_64-linux";
  pkgs = import ./pkgs.nix { inherit lib system; };

  evaluate =
    modules:
    lib.evalModules {
      modules = [ ./nixos.nix ] ++ modules;
      specialArgs = {
        inherit pkgs;
        # A directory that git keeps: only its neighbour lib is asked for.
        modulesPath = toString ./lib;
      };
    };

  flake =
    let
      outputs = (import (root + "/flake.nix")).outputs {
        self = outputs;
        nixpkgs = {
          lib = lib // {
            nixosSystem = given: evaluate given.modules;
          };
          legacyPackages =
            lib.genAttrs
              [
                "x86_64-linux"
                "aarch64-linux"
              ]
              (
                other:
                import ./pkgs.nix {
                  inherit lib;
                  system = other;
                }
              );
        };
      };
    in
    outputs;

  modules = flake.nixosModules;

  # What a system of one configuration would be made of.
  described =
    config:
    let
      shown =
        unit: removeAttrs unit [ "restartTriggers" ] // { triggers = map toString unit.restartTriggers; };
    in
    {
      failed = map (one: one.message) (lib.filter (one: !one.assertion) config.assertions);
      checked = map (one: one.message) config.assertions;
      etc = lib.mapAttrs (_: file: file.text) (
        lib.filterAttrs (_: file: file.text != null) config.environment.etc
      );
      owned = lib.mapAttrs (_: file: { inherit (file) mode user; }) (
        lib.filterAttrs (_: file: file.mode != "symlink") config.environment.etc
      );
      services = lib.mapAttrs (
        _: service: shown service // { path = map (package: package.outPath) service.path; }
      ) config.systemd.services;
      targets = lib.mapAttrs (_: shown) config.systemd.targets;
      paths = lib.mapAttrs (_: shown) config.systemd.paths;
      timers = lib.mapAttrs (_: shown) config.systemd.timers;
      packages = map (package: package.pname) config.systemd.packages;
      tmpfiles = config.systemd.tmpfiles.rules;
      users = lib.mapAttrs (_: user: {
        inherit (user) isSystemUser group description;
      }) config.users.users;
      groups = lib.attrNames config.users.groups;
      tcp = lib.sort lib.lessThan config.networking.firewall.allowedTCPPorts;
      udp = lib.sort lib.lessThan config.networking.firewall.allowedUDPPorts;
      avahi = { inherit (config.services.avahi) enable nssmdns4 publish; };
      knot =
        if config.services.knot.enable then
          {
            conf = config.services.knot.settingsFile.text;
            package = config.services.knot.package.outPath;
          }
        else
          null;
    };

  # A configuration that a type refuses is null.
  attempt =
    modules:
    let
      tried = builtins.tryEval (
        let
          value = described (evaluate modules).config;
        in
        builtins.deepSeq value value
      );
    in
    if tried.success then tried.value else null;

  cases = import ./cases.nix { inherit lib modules; };

  optionsBelow =
    prefix:
    map
      (option: {
        inherit (option) name;
        inherit (option) type;
        description = option.description or "";
        example = option ? example;
        default = option ? default;
      })
      (
        lib.filter (option: lib.hasPrefix prefix option.name && !option.internal) (
          lib.optionAttrSetToDocList
            (lib.evalModules {
              modules = [
                ./nixos.nix
                modules.edge
                modules.box
              ];
              specialArgs = { inherit pkgs; };
            }).options
        )
      );

  described' = test: {
    inherit (test) name testScript;
    nodes = lib.mapAttrs (_: node: attempt [ node ]) test.nodes;
  };
in
{
  accepted = lib.mapAttrs (_: attempt) cases.accepted;
  refused = lib.mapAttrs (_: attempt) cases.refused;
  asserted = lib.mapAttrs (_: attempt) cases.asserted;
  options = optionsBelow "losos.";

  package = {
    inherit (flake.packages.${system}.default) version;
    inputs = map (input: input.pname) (
      flake.packages.${system}.default.buildInputs ++ flake.packages.${system}.default.nativeBuildInputs
    );
    configure = flake.packages.${system}.default.preConfigure;
    inherit (flake.packages.${system}.default.passthru) sources;
  };

  flake = {
    outputs = lib.attrNames flake;
    packages = lib.mapAttrs (_: lib.attrNames) flake.packages;
    apps = lib.mapAttrs (_: lib.attrNames) flake.apps;
    program = flake.apps.${system}.losos-disk-edge-qcow2-run.program;
    modules = lib.attrNames flake.nixosModules;
    checks = lib.mapAttrs (_: lib.attrNames) flake.checks;
    gateway = described flake.nixosConfigurations.edge-gateway.config;
    image = flake.packages.${system}.losos-disk-edge-qcow2.environment;
    console = {
      inherit (flake.nixosConfigurations.edge-gateway.config.services) getty openssh;
      inherit (flake.nixosConfigurations.edge-gateway.config.users.users) root;
    };
    formatter = flake.formatter.${system}.pname;
  };

  tests = lib.mapAttrs (_: described') (removeAttrs flake.checks.${system} [ "package" ]);
}
