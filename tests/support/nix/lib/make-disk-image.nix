# Stands in for nixpkgs' maker of disks, with the arguments that ours gives it.
{
  config,
  lib,
  pkgs,
  name,
  format,
  partitionTableType,
  diskSize,
  additionalSpace,
}:

pkgs.runCommand name {
  inherit
    format
    partitionTableType
    diskSize
    additionalSpace
    ;
  roots = lib.attrNames config.fileSystems;
} ""
