# The tools, their units, their pages. Built by nobody yet: where this was written nothing builds Nix
# packages, so this file was evaluated and no more.
{
  lib,
  stdenv,
  fetchurl,
  meson,
  ninja,
  pkg-config,
  catch2_3,
  cli11,
  fmt,
  libsodium,
  openssl,
  simdjson,
  systemd,
}:

let
  # The registrar rides on a private virtual function of this library, so it is built with the version
  # that its tests run with, Debian 13's, and with Debian's mends.
  httplib = {
    version = "0.18.7";
    source = fetchurl {
      url = "https://deb.debian.org/debian/pool/main/c/cpp-httplib/cpp-httplib_0.18.7.orig.tar.xz";
      sha256 = "c88f6495da71e778c82c22995b547a92ceb41cc4016f9028df67106a24b9210d";
    };
    mends = fetchurl {
      url = "https://deb.debian.org/debian/pool/main/c/cpp-httplib/cpp-httplib_0.18.7-1%2Bdeb13u1.debian.tar.xz";
      name = "cpp-httplib_0.18.7-1_deb13u1.debian.tar.xz";
      sha256 = "00ea33189a7421a434b6d9ccb431ef4debce086534d249e8efa89050e7593198";
    };
  };

  sources = [
    "LICENSE"
    "meson\\.build"
    "meson_options\\.txt"
    "(lib|man|tests|tools|units)(/.*)?"
  ];
in
stdenv.mkDerivation {
  pname = "losos";
  version = lib.head (
    builtins.match ".*[[:space:]]version: '([0-9.]+)'.*" (builtins.readFile ../meson.build)
  );

  src = lib.sourceByRegex ../. sources;

  strictDeps = true;
  nativeBuildInputs = [
    meson
    ninja
    pkg-config
  ];
  buildInputs = [
    catch2_3
    cli11
    fmt
    libsodium
    openssl
    simdjson
    systemd
  ];

  # One header, and the description of it that meson looks for.
  preConfigure = ''
    mkdir httplib
    tar -C httplib --strip-components=1 -xf ${httplib.source}
    tar -C httplib -xf ${httplib.mends}
    while read -r mend; do
      patch -d httplib -p1 < "httplib/debian/patches/$mend"
    done < httplib/debian/patches/series
    cat > httplib/cpp-httplib.pc <<END
    Name: cpp-httplib
    Description: HTTP in one header
    Version: ${httplib.version}
    Cflags: -isystem $PWD/httplib -DCPPHTTPLIB_OPENSSL_SUPPORT
    END
    export PKG_CONFIG_PATH=$PWD/httplib''${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
  '';

  mesonBuildType = "release";
  doCheck = true;

  passthru = { inherit sources; };

  meta = {
    description = "Puts home servers on the internet through a hub, with or without a gateway";
    license = lib.licenses.mit;
    mainProgram = "losos-edge";
    platforms = lib.platforms.linux;
  };
}
