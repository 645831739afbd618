# What stands in for the packages of nixpkgs: each is a name, and none is ever built.
{ lib, system }:

let
  fake = pname: {
    inherit pname;
    type = "derivation";
    name = pname;
    version = "1";
    outPath = "${builtins.storeDir}/00000000000000000000000000000000-${pname}";
    meta.mainProgram = pname;
  };
  named = lib.genAttrs [
    "catch2_3"
    "cli11"
    "curl"
    "fmt"
    "knot-dns"
    "libsodium"
    "meson"
    "ninja"
    "nixfmt"
    "openssl"
    "pkg-config"
    "qemu"
    "rathole"
    "shadow"
    "simdjson"
    "systemd"
    "traefik"
  ] fake;
  pkgs = named // {
    inherit lib pkgs;
    stdenv = {
      hostPlatform = { inherit system; };
      # What it is given stays lazy: the sources of a package would be copied into a store.
      mkDerivation = given: fake given.pname // given;
    };
    fetchurl = given: fake (given.name or "fetched") // given;
    callPackage =
      file: given:
      let
        build = import file;
      in
      build (builtins.intersectAttrs (builtins.functionArgs build) pkgs // given);
    writeText = name: text: fake name // { inherit text; };
    runCommand =
      name: environment: script:
      fake name // { inherit environment script; };
    writeShellApplication = given: fake given.name // given;
    # The nodes are evaluated by whoever asks.
    testers.runNixOSTest = given: fake given.name // given;
  };
in
pkgs
