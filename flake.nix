{
  # Where this flake was written nothing builds Nix packages and no NixOS boots. It is parsed, its modules are
  # evaluated over many configurations, and what they write is given to our tools and, with the package's
  # units, to a Debian's systemd. Package, image and VM tests are built by whoever uses them first; "nix flake
  # lock" then fixes the nixpkgs they are built with.
  description = "LosOS edge federation: home servers on the internet, through a hub and gateways";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-26.05";

  outputs =
    { self, nixpkgs }:
    let
      inherit (nixpkgs) lib;
      systems = [
        "x86_64-linux"
        "aarch64-linux"
      ];
      forEach = build: lib.genAttrs systems (system: build nixpkgs.legacyPackages.${system});

      # The gateway's disk is for PCs.
      pc = "x86_64-linux";
      pkgs = nixpkgs.legacyPackages.${pc};
      image = self.nixosConfigurations.edge-gateway.config.system.build.qcow2;

      # Boots the image; what is written to its disk is gone afterwards.
      run = pkgs.writeShellApplication {
        name = "losos-disk-edge-qcow2-run";
        runtimeInputs = [ pkgs.qemu ];
        text = ''
          disks=(${image}/*.qcow2)
          exec qemu-system-x86_64 -machine accel=kvm:tcg -m 1024 -smp 2 -nographic -snapshot \
            -nic user,model=virtio-net-pci -drive "file=''${disks[0]},if=virtio" "$@"
        '';
      };
    in
    {
      packages = lib.recursiveUpdate (forEach (pkgs: {
        default = pkgs.callPackage ./nix/package.nix { };
      })) { ${pc}.losos-disk-edge-qcow2 = image; };

      apps.${pc}.losos-disk-edge-qcow2-run = {
        type = "app";
        program = lib.getExe run;
        meta.description = "Boots the gateway's disk in QEMU";
      };

      nixosModules = {
        edge = ./nix/modules/edge.nix;
        edge-gateway = ./nix/modules/edge-gateway.nix;
        box = ./nix/modules/box.nix;
      };

      nixosConfigurations.edge-gateway = lib.nixosSystem {
        modules = [
          self.nixosModules.edge-gateway
          ./nix/image.nix
          { nixpkgs.hostPlatform = pc; }
        ];
      };

      checks = forEach (
        pkgs:
        let
          test = file: import file { inherit pkgs self; };
        in
        {
          package = self.packages.${pkgs.stdenv.hostPlatform.system}.default;
          edge-federation = test ./tests/edge-federation.nix;
          edge-lan = test ./tests/edge-lan.nix;
          edge-dns = test ./tests/edge-dns.nix;
        }
      );

      formatter = forEach (pkgs: pkgs.nixfmt);
    };
}
