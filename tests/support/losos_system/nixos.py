"""Makes a machine of the system ring what a configuration of our NixOS modules says: the same files,
drop-ins and directories, and programs that stand in folders of their own."""

import pathlib

import nixos_modules

# Where Debian has the programs of a package of nixpkgs.
PROGRAMS = {
    "rathole": ["/usr/local/bin/rathole"],
    "traefik": ["/usr/local/bin/traefik"],
    "systemd": ["/usr/bin/systemctl"],
}


def become(machine, system):
    """Everything that NixOS would have made of it before the machine's target starts."""
    _move_programs(machine, system)
    for name, text in system["etc"].items():
        kept = system["owned"].get(name)
        if kept:
            # Its folder is made, and closed to others, by the rules below.
            machine.run("install -d /etc/losos/tokens")
            machine.write(f"/etc/{name}", text, int(kept["mode"], 8), kept["user"])
        else:
            machine.write(f"/etc/{name}", text)
    for unit, text in nixos_modules.drop_ins(system).items():
        machine.write(f"/etc/systemd/system/{unit}.d/overrides.conf", text)
    machine.write("/etc/tmpfiles.d/nixos.conf", "\n".join(system["tmpfiles"]) + "\n")
    for name, target in system["targets"].items():
        for by in target["wantedBy"]:
            machine.run(f"mkdir -p /etc/systemd/system/{by}.wants && "
                        f"ln -s /usr/lib/systemd/system/{name}.target /etc/systemd/system/{by}.wants/")
    # What the package ships is not what makes the directories on NixOS.
    machine.run("rm /usr/lib/tmpfiles.d/losos-*.conf && systemd-tmpfiles --create && systemctl daemon-reload")


def start(machine, system):
    """What a boot, or a switch to this configuration, would start."""
    (target,) = system["targets"]
    machine.run(f"systemctl start {target}.target")


def _move_programs(machine, system):
    """Into the folders that the units are told, and away from where they would be found without."""
    told = "\n".join(nixos_modules.drop_ins(system).values())
    for package, programs in PROGRAMS.items():
        folder = f"/nix/store/00000000000000000000000000000000-{package}/bin"
        if folder in told:
            machine.run(f"mkdir -p {folder}")
            for program in programs:
                how = "mv" if program.startswith("/usr/local/") else "ln -s"
                machine.run(f"{how} {program} {folder}/{pathlib.PurePath(program).name}")
