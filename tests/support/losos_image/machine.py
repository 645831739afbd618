"""A virtual machine of QEMU, emulated unless LOSOS_KVM=1 asks for KVM, on a disk of its own over the image."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

from .console import Console

FIRMWARE = pathlib.Path("/usr/share/OVMF")
MAC = "52:54:00:10:50:01"


class VirtualMachine:
    """`firmware` is uefi or bios; `tap` a network device, or None for no network; `within` turns an argument
    vector into one that runs where that device is; `size` is what the disk is made to, in GiB. A
    folder that has a disk is a machine that was switched on before."""

    def __init__(self, image, folder, firmware="uefi", size=10, tap=None, within=lambda argv: argv):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.disk = folder / "disk.qcow2"
        if not self.disk.exists():
            subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", "qcow2", "-b", image,
                            self.disk, f"{size}G"], check=True)
        for name in ("serial", "qmp"):
            (folder / name).unlink(missing_ok=True)
        command = within(self._hardware() + self._firmware(firmware) + self._network(tap))
        self.started = time.monotonic()
        self._errors = folder / "qemu.err"
        with open(self._errors, "w", encoding="utf-8") as errors:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=errors)
        self._wait_for("serial")
        self.console = Console(folder / "serial", folder / "serial.log")

    def _wait_for(self, name):
        deadline = time.monotonic() + 30
        while not (self.folder / name).exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"QEMU did not start: {self._errors.read_text()}")
            time.sleep(0.02)

    def _hardware(self):
        # A /dev/kvm that is there may still not work, within another virtual machine above all.
        has_kvm = os.environ.get("LOSOS_KVM") == "1"
        accelerator = "kvm" if has_kvm else "tcg,thread=multi,tb-size=512"
        # Plain, for "max" offers features that emulation does not carry through.
        return ["qemu-system-x86_64", "-accel", accelerator, "-machine", "q35",
                "-cpu", "host" if has_kvm else "qemu64", "-smp", "2", "-m", "768",
                "-nodefaults", "-display", "none", "-device", "VGA", "-device", "virtio-rng-pci",
                "-serial", f"unix:{self.folder / 'serial'},server=on,wait=on",
                "-qmp", f"unix:{self.folder / 'qmp'},server=on,wait=off",
                "-drive", f"if=none,id=disk,file={self.disk},format=qcow2,cache=unsafe,discard=unmap",
                "-device", "virtio-blk-pci,drive=disk,bootindex=0"]

    def _firmware(self, firmware):
        if firmware == "bios":
            return []
        variables = self.folder / "variables.fd"
        if not variables.exists():
            shutil.copy(FIRMWARE / "OVMF_VARS_4M.fd", variables)
        flash = "if=pflash,format=raw"
        return ["-drive", f"{flash},unit=0,readonly=on,file={FIRMWARE / 'OVMF_CODE_4M.fd'}",
                "-drive", f"{flash},unit=1,file={variables}"]

    @staticmethod
    def _network(tap):
        if tap is None:
            return []
        return ["-netdev", f"tap,id=lan,ifname={tap},script=no,downscript=no",
                "-device", f"virtio-net-pci,netdev=lan,mac={MAC},romfile="]

    def seconds(self):
        """Since QEMU was started."""
        return time.monotonic() - self.started

    def command(self, name, **arguments):
        """One command of QEMU's own protocol."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(20)
            line.connect(str(self.folder / "qmp"))
            stream = line.makefile("rw")
            stream.readline()
            for each in ({"execute": "qmp_capabilities"}, {"execute": name, "arguments": arguments}):
                stream.write(json.dumps(each) + "\n")
                stream.flush()
                answer = json.loads(stream.readline())
                while "event" in answer:
                    answer = json.loads(stream.readline())
            return answer

    def power_down(self):
        """The button; returns once the machine is off."""
        self.command("system_powerdown")
        self.process.wait(180)
        self.console.close()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            self.console.close()
