"""The packages of `./dev package`, tried where nothing else is installed: the .deb in a bare Debian 12, the tarball in a bare
Debian 11, by a user who is not root. Run by `./dev package --check`.

A bare Debian is made by mmdebstrap, once a day, in build/chroots. Where that is not possible the tests are skipped, and say
why; what the files themselves show is tested all the same.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = pathlib.Path(os.environ.get("PARCAST_PACKAGES", ROOT / "build/packages"))
CHROOTS = ROOT / "build/chroots"
DAY_S = 24 * 3600

# The words of a first session, for a user without privileges, in a folder of its own.
SESSION = r"""
set -eux
cd "$(mktemp -d)"
unset XDG_CONFIG_HOME
export HOME=$PWD
test "$(id -u)" != 0
parcast --version
seq 1000000 >data
parcast record --pretend-cpus 4 -o "one run.parcast" -- pigz -p 4 -b 128 -k data
test -s data.gz
parcast info "one run.parcast" >info
grep -q 'mutex' info
parcast predict "one run.parcast" --cpus 1,2,4 >predicted
grep -Eq '^ +4 +[0-9]' predicted
parcast advise "one run.parcast" --cpus 2 >advised
test -s advised
cat >parcast.check.toml <<'CONTRACT'
version = 1
assertions = ['time(4) < 1000s', 'speed_up(4) > 0.5']
CONTRACT
parcast check "one run.parcast" >kept
grep -q 'holds' kept
status=0
parcast check "one run.parcast" --assert 'speed_up(2) >= 3' >broken || status=$?
test $status = 7
grep -q 'fails' broken
parcast report "one run.parcast" -o page.html
grep -q '<!DOCTYPE html>' page.html
parcast predict "one run.parcast" --cpus 2 --json >predicted.json
parcast view "one run.parcast" --no-browser --port 8423 >address 2>said &
server=$!
for attempt in $(seq 100); do grep -q 'http://127' address said && break; sleep 0.1; done
exec 3<>/dev/tcp/127.0.0.1/8423
path=$(grep -ho '8423/[0-9a-f]*/' address said | head -n 1)
printf 'GET /%s HTTP/1.1\r\nHost: 127.0.0.1:8423\r\nConnection: close\r\n\r\n' "${path#8423/}" >&3
head -n 1 <&3 >status
grep -q 200 status
kill $server
"""


def package(pattern):
    found = sorted(PACKAGES.glob(pattern))
    if len(found) != 1:
        raise AssertionError(f"there must be one {pattern} in {PACKAGES}: make it with ./dev package")
    return found[0]


def run(*command, **options):
    return subprocess.run([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)


class Chroot:
    """A bare Debian, unpacked for one test."""

    def __init__(self, case, suite):
        if os.geteuid() != 0:
            case.skipTest("only root may change the root folder")
        if not shutil.which("mmdebstrap"):
            case.skipTest("there is no mmdebstrap here")
        CHROOTS.mkdir(parents=True, exist_ok=True)
        archive = CHROOTS / f"{suite}.tar"
        if not archive.exists() or time.time() - archive.stat().st_mtime > DAY_S:
            made = run("mmdebstrap", "--variant=minbase", suite, archive, "http://deb.debian.org/debian")
            if made.returncode != 0:
                archive.unlink(missing_ok=True)
                case.skipTest(f"a bare {suite} cannot be made here: {made.stdout.splitlines()[-1:]}")
        self.case = case
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"parcast-{suite}-", dir=CHROOTS))
        case.addCleanup(self.remove)
        unpacked = run("tar", "-xf", archive, "-C", self.folder)
        case.assertEqual(unpacked.returncode, 0, unpacked.stdout)
        for kind, name in (("proc", "proc"), ("sysfs", "sys")):
            if run("mount", "-t", kind, kind, self.folder / name).returncode != 0:
                if run("mount", "--rbind", f"/{name}", self.folder / name).returncode != 0:
                    case.skipTest(f"/{name} cannot be mounted in a folder here")
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        for options in pathlib.Path("/etc/apt/apt.conf.d").glob("*proxy*"):
            shutil.copy(options, self.folder / "etc/apt/apt.conf.d")
        (self.folder / "tried").mkdir()
        self.root("useradd", "--create-home", "user")

    def remove(self):
        for name in ("proc", "sys"):
            run("umount", "--lazy", self.folder / name)
        shutil.rmtree(self.folder, ignore_errors=True)

    def root(self, *words, **options):
        return run("chroot", self.folder, *words, **options)

    def install(self, *packages):
        for words in (["update"], ["install", "--no-install-recommends", *packages]):
            done = self.root("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", *words)
            self.case.assertEqual(done.returncode, 0, done.stdout)

    def user(self, script, path="/usr/bin:/bin"):
        return run("chroot", "--userspec=user:user", self.folder, "/usr/bin/env", "-i", f"PATH={path}", "LC_ALL=C.UTF-8",
                   "TMPDIR=/tmp", "bash", "-c", script)


class Package(unittest.TestCase):
    def assert_manual(self, chroot, **options):
        for page, text in (("parcast", "parcast-predict(1)"), ("parcast-predict", "--scheduler"), ("parcast-check", "--contract"),
                           ("parcast-machine", "wake_up_ns"), ("parcast-pamela", "resource"), ("parcast-trace", "zstd")):
            shown = chroot.user(f"man {page} | cat", **options)
            self.assertEqual(shown.returncode, 0, shown.stdout)
            self.assertIn(text, re.sub(".\b", "", shown.stdout).replace("\N{HYPHEN}", "-"), page)


class Deb(Package):
    def test_it_names_what_it_needs_and_who_keeps_it(self):
        fields = run("dpkg-deb", "--field", package("*.deb")).stdout
        for field in ("Package: parcast\n", "Architecture: amd64\n", "Section: devel\n", "Maintainer: "):
            self.assertIn(field, fields)
        self.assertRegex(fields, r"Depends: .*libc6 \(>= 2\.\d+\).*libdw1")

    def test_the_library_for_host_programs_is_in_a_multiarch_folder(self):
        files = run("dpkg-deb", "--contents", package("*.deb")).stdout
        self.assertRegex(files, r"\./usr/lib/x86_64-linux-gnu/parcast/libparcast-recorder\.so\n")
        for name in ("usr/bin/parcast", "usr/share/man/man1/parcast-predict.1.gz", "usr/share/man/man5/parcast-trace.5.gz",
                     "usr/share/man/man5/parcast-machine.5.gz", "usr/share/man/man7/parcast-pamela.7.gz",
                     "usr/share/bash-completion/completions/parcast", "usr/share/zsh/vendor-completions/_parcast",
                     "usr/share/fish/vendor_completions.d/parcast.fish", "usr/share/doc/parcast/copyright"):
            self.assertIn(f"./{name}\n", files)

    def test_a_user_records_and_predicts_in_a_bare_debian(self):
        chroot = Chroot(self, "bookworm")
        shutil.copy(package("*.deb"), chroot.folder / "tried/parcast.deb")
        chroot.install("/tried/parcast.deb", "man-db", "pigz")
        done = chroot.user(SESSION)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assert_manual(chroot)
        removed = chroot.root("dpkg", "--purge", "parcast")
        self.assertEqual(removed.returncode, 0, removed.stdout)


class Tarball(Package):
    def unpacked(self, folder):
        done = run("tar", "-xzf", package("*.tar.gz"), "-C", folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        (found,) = pathlib.Path(folder).iterdir()
        return found

    def test_the_program_needs_no_library(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = self.unpacked(folder)
            headers = run("readelf", "--program-headers", "--dynamic", prefix / "bin/parcast").stdout
            self.assertNotIn("INTERP", headers)
            self.assertNotIn("NEEDED", headers)
            licences = {licence.name for licence in (prefix / "share/doc/parcast/licences").iterdir()}
            self.assertLessEqual({"libc6-dev", "libdw-dev", "libfmt-dev"}, licences)

    def test_a_user_records_and_predicts_in_a_bare_debian_11_from_a_folder_with_spaces(self):
        chroot = Chroot(self, "bullseye")
        place = chroot.folder / "opt/some tools"
        place.mkdir(parents=True)
        prefix = self.unpacked(place)
        glibc = chroot.root("ldd", "--version").stdout
        self.assertIn("2.31", glibc)
        chroot.install("man-db", "pigz")
        path = f"/opt/some tools/{prefix.name}/bin:/usr/bin:/bin"
        done = chroot.user(SESSION, path=path)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assert_manual(chroot, path=path)


if __name__ == "__main__":
    unittest.main()
