# What the modules share: types of options, and how flags become a tool's configuration file.
{ lib }:

let
  inherit (lib) types;
  label = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  render =
    value:
    if lib.isBool value then
      lib.boolToString value
    else if lib.isInt value then
      toString value
    else if lib.isList value then
      "[${lib.concatMapStringsSep ", " render value}]"
    else
      ''"${value}"'';
  lines =
    file:
    lib.filter (line: line != "" && !lib.hasPrefix "#" line) (
      lib.splitString "\n" (builtins.readFile file)
    );
in
rec {
  # What fits into a configuration file, where a text holds no quote and no #.
  flagText = types.strMatching "[^\"'#\\[:cntrl:]]*";

  # Paths are texts, never Nix paths: those would be copied into the store, for everybody to read.
  file = types.strMatching "/[^\"'#%\\[:space:]]+";

  duration = types.either types.ints.positive (types.strMatching "[1-9][0-9]*(ms|s|m|h)?");

  dnsName = types.strMatching "${label}(\\.${label})*";

  dnsLabel = types.strMatching "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

  ipv4 = types.strMatching "[0-9]{1,3}(\\.[0-9]{1,3}){3}";

  ipv6 = types.strMatching "[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*";

  url = types.strMatching "https?://[A-Za-z0-9.:-]+|https?://\\[[0-9A-Fa-f:.]+](:[0-9]+)?";

  endpoint = types.strMatching "([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+]):[0-9]+";

  # An address and a port, as one text.
  socketAddress =
    address: port:
    if lib.hasInfix ":" address then "[${address}]:${toString port}" else "${address}:${toString port}";

  # Null and the empty list stand for a flag that is not given.
  flagsFile =
    flags:
    lib.concatStrings (
      lib.mapAttrsToList (flag: value: "${flag} = ${render value}\n") (
        lib.filterAttrs (_: value: value != null && value != [ ]) flags
      )
    );

  # Fails the evaluation when the file of ours has changed so that nothing would be set any more.
  replace =
    file: changes:
    lib.foldl' (
      text: change:
      if lib.hasInfix change.from text then
        lib.replaceStrings [ change.from ] [ change.to ] text
      else
        throw "${toString file} holds no \"${change.from}\""
    ) (builtins.readFile file) changes;

  tmpfilesRules = lines;

  # The users of a sysusers.d file.
  usersOf =
    file:
    let
      parsed = map (
        line:
        let
          found = builtins.match "u +([a-z-]+) +- +\"([^\"]*)\"" line;
        in
        if found == null then throw "${toString file}: \"${line}\" is no user" else found
      ) (lines file);
    in
    {
      users = lib.listToAttrs (
        map (
          user:
          lib.nameValuePair (lib.elemAt user 0) {
            isSystemUser = true;
            group = lib.elemAt user 0;
            description = lib.elemAt user 1;
          }
        ) parsed
      );
      groups = lib.listToAttrs (map (user: lib.nameValuePair (lib.elemAt user 0) { }) parsed);
    };

  inStore = path: path != null && lib.hasPrefix builtins.storeDir path;

  # Secrets that anybody on the machine could read; `files` maps the option's name to its value.
  secretAssertions =
    files:
    lib.mapAttrsToList (option: path: {
      assertion = !inStore path;
      message = ''
        ${option} is in the Nix store, where everybody can read it. Name a file outside of it, such as
        "/etc/losos/tokens/acme", as a text in quotes.
      '';
    }) files;
}
