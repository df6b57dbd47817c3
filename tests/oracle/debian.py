"""Which QEMU, kernel and busybox does the emulation run on?

Debian's, unpacked into a folder of their own and not installed: QEMU 10 from bookworm-backports, the cloud kernel and the static
busybox from bookworm. apt reads indexes of its own, checks their signatures and the packages' checksums, and takes the newest.
"""

import glob
import os
import re
import shutil
import subprocess

MIRROR = "http://deb.debian.org"
SUITES = ("debian bookworm", "debian bookworm-backports", "debian-security bookworm-security")
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
STAMP = "unpacked"


class Unavailable(Exception):
    """What the emulation needs and this machine does not have."""


def private_apt(folder):
    """The environment in which apt uses no list, cache or lock of the system, but knows what is installed."""
    for name in ("lists/partial", "archives/partial"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    sources = os.path.join(folder, "sources.list")
    with open(sources, "w", encoding="utf-8") as file:
        for suite in SUITES:
            file.write(f"deb [signed-by={KEYRING}] {MIRROR}/{suite} main\n")
    options = {"Dir::Etc::sourcelist": sources, "Dir::Etc::sourceparts": "/dev/null",
               "Dir::State::lists": os.path.join(folder, "lists"), "Dir::Cache": folder,
               "Dir::Cache::archives": os.path.join(folder, "archives"),
               "Debug::NoLocking": "1", "APT::Install-Recommends": "0", "Acquire::Languages": "none"}
    if os.geteuid() == 0:
        options["APT::Sandbox::User"] = "root"
    configuration = os.path.join(folder, "apt.conf")
    with open(configuration, "w", encoding="utf-8") as file:
        file.writelines(f'{key} "{value}";\n' for key, value in options.items())
    return dict(os.environ, APT_CONFIG=configuration, LC_ALL="C")


def apt(environment, *arguments, folder="."):
    try:
        result = subprocess.run(arguments, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError as missing:
        raise Unavailable(f"no {arguments[0]}: the emulation is set up on Debian 12") from missing
    if result.returncode != 0:
        raise Unavailable(f"'{' '.join(arguments)}' failed:\n{result.stderr.strip()}")
    return result.stdout


def kernel_package(environment):
    depends = apt(environment, "apt-cache", "depends", "linux-image-cloud-amd64")
    return re.search(r"Depends: (linux-image-\S+-cloud-amd64)", depends).group(1)


def set_up(folder, say=print):
    """Downloads and unpacks once; returns the folder in which usr/bin/qemu-system-x86_64 and boot/vmlinuz-* lie."""
    root = os.path.join(folder, "root")
    if os.path.exists(os.path.join(root, STAMP)):
        return root
    say("setting up the emulation: QEMU from bookworm-backports, Debian's cloud kernel, busybox")
    environment = private_apt(os.path.join(folder, "apt"))
    packages = os.path.join(folder, "apt", "archives")
    apt(environment, "apt-get", "update")
    # With what it depends on, as far as that is not installed.
    apt(environment, "apt-get", "install", "--yes", "--download-only", "--target-release", "bookworm-backports",
        "qemu-system-x86")
    # The files alone, without what an installed kernel would need.
    apt(environment, "apt-get", "download", kernel_package(environment), "busybox-static", folder=packages)
    shutil.rmtree(root, ignore_errors=True)
    for package in sorted(glob.glob(os.path.join(packages, "*.deb"))):
        apt(environment, "dpkg", "-x", package, root)
    with open(os.path.join(root, STAMP), "w", encoding="utf-8") as stamp:
        stamp.writelines(os.path.basename(package) + "\n" for package in sorted(glob.glob(os.path.join(packages, "*.deb"))))
    return root
