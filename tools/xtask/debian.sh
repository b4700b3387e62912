# Functions of tools/windows/toolchain and tools/wasm/toolchain, which take what they need from packages of Debian. The packages are
# unpacked, not installed. The caller sets `dir`, the folder to prepare, `version`, that of the Rust toolchain, and `tests`, a phrase
# for messages.
#
# shellcheck shell=bash
# shellcheck source=/dev/null
. /etc/os-release 2>/dev/null || ID=unknown

# Ends the script with status 77: the folder cannot be prepared on this machine.
skip() {
    echo "SKIPPED: $tests were not run, because $1"
    exit 77
}

# The same for what must not be missing in CI.
missing() {
    [ "${CI-}" != true ] || { echo "error: CI=true allows no skipped check: $1" >&2; exit 1; }
    skip "$1"
}

needs_debian() {
    [ "$ID" = debian ] || skip "$1 from Debian's packages, and this is not Debian"
    [ "$(dpkg --print-architecture)" = amd64 ] || skip "this processor is not x86_64"
}

# Runs apt with lists and a cache of its own.
apt() {
    local command=$1
    shift
    "$command" -qq -o "Dir::State::Lists=$dir/apt/lists" -o "Dir::Cache=$dir/apt" -o "Dir::Etc::SourceList=$dir/apt/sources.list" \
        -o Dir::Etc::SourceParts=/dev/null -o Debug::NoLocking=1 -o "APT::Sandbox::User=$(id -un)" -o Dpkg::Use-Pty=0 "$@"
}

update_lists() {
    [ ! -e "$dir/apt/ready" ] || return 0
    mkdir -p "$dir/apt/lists/partial" "$dir/apt/archives/partial"
    local mirror suite keys="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
    # The mirror that apt on this machine uses. Each suite has one version of rust-src.
    mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -v security | sort -u | head -n 1)
    [ -n "$mirror" ] || missing "apt has no mirror: run apt-get update"
    for suite in "$VERSION_CODENAME" "$VERSION_CODENAME-updates" trixie-backports forky sid experimental; do
        echo "deb $keys $mirror $suite main"
    done | sort -u >"$dir/apt/sources.list"
    apt apt-get update || missing "Debian's package lists cannot be downloaded"
    touch "$dir/apt/ready"
}

# Unpacks the sources of the standard library of this version of Rust into a folder: rust_sources FOLDER TARGET
rust_sources() {
    update_lists
    local package
    package=$(apt apt-cache madison rust-src | awk -v v="$version" '$3 == v || index($3, v "+") == 1 { print $3; exit }')
    [ -n "$package" ] || missing "Debian has no rust-src $version, and the target $2 is not installed"
    (cd "$dir/apt/archives" && apt apt-get download "rust-src=$package") || missing "rust-src cannot be downloaded"
    mkdir -p "$1"
    dpkg-deb --fsys-tarfile "$dir"/apt/archives/rust-src_*.deb |
        tar x -C "$1" --strip-components=4 --wildcards './usr/src/rustc-*/library'
}
