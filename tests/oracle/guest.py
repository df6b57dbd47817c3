"""How does a program run in the emulated machine?

A guest boots, runs one job (a shell script and the files that it needs), and ends; the result is what the script left in /out.
It has one CPU and exact instruction time, or N CPUs in lock-step. In both, one instruction is one nanosecond.
"""

import glob
import gzip
import io
import os
import re
import subprocess
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = ("virtio_ring", "virtio", "virtio_pci_modern_dev", "virtio_pci_legacy_dev", "virtio_pci", "virtio_blk")
OUTPUT_BYTES = 256 << 20
# Without fast strings: the kernel would clear a page byte by byte, an instruction each, and a huge page in 2 ms.
PROCESSOR = "max,-erms,-fsrm"
# Of a program that is not ours: where its files lie, where it runs beside a copy of them, and its standard input.
DATA_FOLDER, RUN_FOLDER, INPUT = "/tmp/data", "/tmp/run", "/tmp/input"
KERNEL = "console=ttyS0 quiet panic=-1 mitigations=off tsc=reliable lpj=4000000 nokaslr"


class GuestFailed(Exception):
    """The emulated machine did not do its job."""


def archive_entry(name, mode, content=b""):
    """An entry of a cpio archive in the `newc` format, which the kernel unpacks as its first file system."""
    fields = (0, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
    head = b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
    return head + b"\0" * (-len(head) % 4) + content + b"\0" * (-len(content) % 4)


def first_file_system(root):
    def content(path):
        with open(path, "rb") as file:
            return file.read()

    entries = [archive_entry(name, 0o040755) for name in ("bin", "dev", "proc", "sys", "tmp", "modules")]
    entries.append(archive_entry("bin/busybox", 0o100755, content(os.path.join(root, "bin/busybox"))))
    entries.append(archive_entry("init", 0o100755, content(os.path.join(HERE, "guest", "init"))))
    for module in MODULES:
        found = glob.glob(os.path.join(root, f"lib/modules/*/kernel/drivers/*/{module}.ko"))
        entries.append(archive_entry(f"modules/{module}.ko", 0o100644, content(found[0])))
    entries.append(archive_entry("TRAILER!!!", 0))
    return gzip.compress(b"".join(entries), 1)


def linked_libraries(program):
    """What ldd lists; empty for a program that is linked statically."""
    return subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout


def shared_libraries(program):
    """Paths of the shared libraries, and of the loader, that a program of this machine needs."""
    return re.findall(r"(/\S+) \(0x", linked_libraries(program))


def is_program(path):
    if os.path.isdir(path):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def packed_job(script, files):
    """A tar archive of the job. `files`: {path in the guest: path here}; what those programs need is added."""
    everything = dict(files)
    for path in files.values():
        if is_program(path):
            everything.update({library: os.path.realpath(library) for library in shared_libraries(path)})
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        entry = tarfile.TarInfo("job/run.sh")
        entry.size = len(script.encode())
        archive.addfile(entry, io.BytesIO(script.encode()))
        for path, source in sorted(everything.items()):
            archive.add(source, arcname=path.lstrip("/"))
    return packed.getvalue()


def host_cpu():
    """The one that each emulator is bound to: the last that this process may run on. Others mostly begin with the first."""
    return max(os.sched_getaffinity(0))


class Emulator:
    def __init__(self, root, plugin, work_folder, limit_s):
        self.root = root
        self.limit_s = limit_s
        self.plugin = plugin
        self.work_folder = work_folder
        self.first_file_system = os.path.join(work_folder, "initramfs.gz")
        with open(self.first_file_system, "wb") as file:
            file.write(first_file_system(root))

    def version(self):
        shown = subprocess.run([self.program(), "--version"], env=self.environment(), capture_output=True, text=True, check=True)
        return shown.stdout.splitlines()[0]

    def kernel(self):
        return glob.glob(os.path.join(self.root, "boot/vmlinuz-*"))[0]

    def program(self):
        return os.path.join(self.root, "usr/bin/qemu-system-x86_64")

    def environment(self):
        folders = ("usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu")
        return dict(os.environ, LD_LIBRARY_PATH=":".join(os.path.join(self.root, folder) for folder in folders))

    def run_in_instruction_time(self, script, files, parts=1):
        """One CPU. The clock counts its instructions, and jumps to the next timer when it idles. The limit is for each of the parts."""
        return self.run(script, files, 1, ["-accel", "tcg", "-icount", "shift=0,sleep=off"], KERNEL, self.environment(),
                        parts * self.limit_s)

    def run_in_lockstep(self, script, files, cpus, round_ns):
        """`cpus` CPUs that execute the same number of instructions while a span lasts. Adds the file `marks` to the result."""
        with tempfile.NamedTemporaryFile(dir=self.work_folder) as marks:
            arguments = ["-accel", "tcg,thread=multi", "-plugin", f"{self.plugin},round={round_ns},marks={marks.name}"]
            environment = dict(self.environment(), LD_PRELOAD=self.plugin)
            output = self.run(script, files, cpus, arguments, KERNEL + " idle=poll maxcpus=1", environment,
                              self.limit_s)
            output["marks"] = marks.read()
        return output

    def run(self, script, files, cpus, arguments, kernel_arguments, environment, limit_s):
        with tempfile.TemporaryDirectory(dir=self.work_folder) as folder:
            job, result = os.path.join(folder, "job"), os.path.join(folder, "result")
            with open(job, "wb") as file:
                file.write(packed_job(script, files))
            os.truncate(job, -(-os.path.getsize(job) // 512) * 512)
            with open(result, "wb") as file:
                file.truncate(OUTPUT_BYTES)
            command = ["taskset", "--cpu-list", str(host_cpu()), self.program(), "-L", os.path.join(self.root, "usr/share/qemu"), "-L", os.path.join(self.root, "usr/share/seabios"),
                       "-nodefaults", "-display", "none", "-serial", "stdio", "-no-reboot", "-cpu", PROCESSOR, "-m", "1G",
                       "-smp", str(cpus), *arguments, "-kernel", self.kernel(), "-initrd", self.first_file_system, "-append", kernel_arguments,
                       "-drive", f"file={job},format=raw,if=virtio,readonly=on", "-drive", f"file={result},format=raw,if=virtio"]
            try:
                console = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit_s,
                                         check=False)
            except subprocess.TimeoutExpired as late:
                raise GuestFailed(f"no end after {limit_s} s: give it less to do, or more time (--limit)\n{(late.stdout or b'').decode(errors='replace')[-2000:]}") from late
            return unpacked_result(result, console)


def unpacked_result(path, console):
    try:
        with tarfile.open(path) as archive:
            return {member.name.removeprefix("./"): archive.extractfile(member).read()
                    for member in archive.getmembers() if member.isfile()}
    except tarfile.TarError as error:
        shown = (console.stdout + console.stderr).decode(errors="replace")[-2000:]
        raise GuestFailed(f"no result ({error})\n{shown}") from error
