#!/bin/sh
# Installs sluice, and links named `flux` and `kubectl-sluice` to it.
#
#   ./install.sh [--prefix DIR | BINDIR] [--version VERSION] [--public-key FILE] [--share] [--demo] …
#
# With a release URL (--release-url, SLUICE_RELEASE_URL or the constant below) it installs a release.
# Otherwise it builds the checkout of this script. The SHA-256 of a release must be in its list of
# checksums. With a public key, that list must be signed. The script writes only to the prefix, in
# atomic steps, and does not replace files of other programs.
#
# `--demo` then shows the whole loop on this machine with a real Kubernetes API server and a Git
# server: a commit is applied, a change arrives, a drift is reverted.
set -eu

# URL of the releases, set in the published script. The files of VERSION are in download/VERSION/, and
# latest/download/sluice_version.txt contains the newest version.
RELEASE_URL=""
# PEM of the public key.
RELEASE_KEY=""

usage() {
    cat <<'USAGE'
usage: ./install.sh [--prefix DIR | BINDIR] [flags]

  --prefix DIR       install into DIR/bin (default: /usr/local, or ~/.local when that is not writable)
  BINDIR             install into this directory itself
  --version VERSION  a release, as v0.2.0 (default: the newest; or SLUICE_VERSION)
  --release-url URL  URL of the releases (or SLUICE_RELEASE_URL)
  --public-key FILE  key that must have signed the release (or SLUICE_PUBLIC_KEY)
  --unsigned         install a release without checking its signature (or SLUICE_UNSIGNED=yes)
  --from-source      build this checkout, even with a release URL
  --share            also install completions and manual pages below DIR/share
  --no-flux-link     do not make the `flux` link
  --force            replace another `flux`
  --demo             quick build, then `sluice dev --once`: commit -> ready, drift -> reverted, a Helm release
USAGE
}

fail() {
    printf 'install.sh: %s\n' "$1" >&2
    exit 1
}

say() {
    printf '%s\n' "$1" >&2
}

# Last line of a program's output, without control characters, because a server may have written it.
reason() {
    tail -n 1 "$work/said" | tr -cd '[:print:]'
}

prefix=""
bin=""
version="${SLUICE_VERSION:-}"
release_url="${SLUICE_RELEASE_URL:-$RELEASE_URL}"
public_key="${SLUICE_PUBLIC_KEY:-}"
unsigned="${SLUICE_UNSIGNED:-no}"
source=no
share=no
link=yes
force=no
demo=no
while [ $# -gt 0 ]; do
    flag="$1"
    case "$flag" in
        --prefix=* | --version=* | --release-url=* | --public-key=*)
            value="${flag#*=}"
            flag="${flag%%=*}"
            ;;
        --prefix | --version | --release-url | --public-key)
            [ $# -ge 2 ] || fail "$flag needs a value"
            value="$2"
            shift
            ;;
        *) value="" ;;
    esac
    case "$flag" in
        --prefix) prefix="$value" ;;
        --version) version="$value" ;;
        --release-url) release_url="$value" ;;
        --public-key) public_key="$value" ;;
        --from-source) source=yes ;;
        --share) share=yes ;;
        --as-flux) link=yes ;;
        --unsigned) unsigned=yes ;;
        --no-flux-link) link=no ;;
        --force) force=yes ;;
        --demo) demo=yes ;;
        -h | --help)
            usage
            exit 0
            ;;
        -* | "")
            usage >&2
            fail "unknown argument: $flag"
            ;;
        *)
            [ -z "$bin" ] || fail "two directories were given: $bin and $flag"
            bin="$flag"
            ;;
    esac
    shift
done

# The checkout of this script; empty when it is read from a pipe.
here=""
if [ -f "$0" ]; then
    here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
    grep -q '^name = "sluice"$' "$here/Cargo.toml" 2>/dev/null || here=""
fi

# Check the source before any change.
if [ "$source" = no ] && [ -z "$release_url" ]; then
    [ -n "$here" ] || fail "no release URL is configured, and the script is not in a checkout
hint: --release-url or SLUICE_RELEASE_URL"
    [ -z "$version" ] || fail "--version $version needs a release, but no release URL is configured
hint: --release-url or SLUICE_RELEASE_URL"
    source=yes
fi
system=$(uname -s)/$(uname -m)
if [ "$source" = yes ]; then
    [ -n "$here" ] || fail "--from-source: the script is not in a checkout"
    [ "$system" = Linux/x86_64 ] ||
        say 'install.sh: note: only Linux on x86_64 is tested; building from source all the same'
else
    case "$system" in
        Linux/x86_64 | Linux/amd64) platform=linux_amd64 ;;
        *) fail "releases do not support $system
hint: clone the repository and run ./install.sh --from-source (docs/install.md)" ;;
    esac
    case "$release_url" in
        https://*) schemes="https" ;;
        # For tests and local mirrors.
        http://127.0.0.1 | http://127.0.0.1[:/]* | http://localhost | http://localhost[:/]* | 'http://[::1]'*) schemes="http" ;;
        *) fail "$release_url is not an https URL" ;;
    esac
    release_url="${release_url%/}"
    case "${version#v}" in
        *[!0-9A-Za-z.+-]* | -* | .*) fail "'$version' is not a version" ;;
    esac
fi

# Report all missing programs at once, with their packages.
missing=""
have() {
    command -v "$1" >/dev/null 2>&1
}
need() {
    have "$1" || missing="$missing
  $1: $2"
}
fetcher=""
if [ "$source" = yes ]; then
    need cargo "Rust 1.95 or newer, with rustup (the toolchain file picks the version)"
    need cc "a C compiler (Debian: apt-get install gcc libc6-dev)"
    need git "git (Debian: apt-get install git)"
else
    if have curl; then
        fetcher=curl
    elif have wget && wget --version 2>/dev/null | grep -q 'GNU Wget'; then
        fetcher=wget
    else
        need curl "curl or GNU wget, which report redirects"
    fi
    have sha256sum || have shasum || need openssl "sha256sum, shasum or openssl, to compare checksums"
    need tar "tar"
    need gzip "gzip"
    if [ -n "$public_key$RELEASE_KEY" ] && ! have openssl && ! have cosign; then
        need openssl "openssl or cosign, to verify the signature"
    fi
fi
if [ "$demo" = yes ] && [ -z "${KUBEBUILDER_ASSETS:-}" ]; then
    need go "Go 1.26 or newer: the demo builds etcd and the Kubernetes control plane (or set KUBEBUILDER_ASSETS to a directory that holds them)"
fi
[ -z "$missing" ] || fail "not found on this machine:$missing"
[ -z "$public_key" ] || [ -r "$public_key" ] || fail "cannot read the public key $public_key"

if [ -n "$bin" ]; then
    [ -z "$prefix" ] || fail "--prefix $prefix and $bin: one of them"
    [ "$share" = no ] || fail "--share needs --prefix: the script does not know the shared files of $bin"
else
    if [ -z "$prefix" ]; then
        if [ -w /usr/local/bin ] || { [ ! -e /usr/local/bin ] && [ -w /usr/local ]; }; then
            prefix=/usr/local
        else
            prefix="$HOME/.local"
        fi
    fi
    bin="$prefix/bin"
fi
# Relative paths start at the working directory.
case "$bin" in
    /*) ;;
    *)
        bin="$(pwd)/$bin"
        [ -z "$prefix" ] || prefix="$(pwd)/$prefix"
        ;;
esac

# Whether a name is free, or our link already.
ours() {
    if [ -e "$bin/$1" ] || [ -L "$bin/$1" ]; then
        case "$(readlink "$bin/$1" 2>/dev/null || true)" in
            sluice | */sluice) ;;
            *) return 1 ;;
        esac
    fi
}
if [ "$link" = yes ] && [ "$force" = no ]; then
    ours flux || fail "$bin/flux exists and is not ours: use --no-flux-link, or --force to replace it"
fi

# The temporary directory is on the file system of the prefix, so that a move is atomic. A failed
# installation removes the directories that it created.
made=""
for directory in "$prefix" "$bin"; do
    [ -z "$directory" ] || [ -e "$directory" ] || made="$directory
$made"
done
work=""
clean() {
    [ -z "$work" ] || rm -rf "$work"
    printf '%s' "$made" | while IFS= read -r directory; do
        rmdir "$directory" 2>/dev/null || true
    done
}
trap clean EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$bin" || fail "cannot create $bin: choose another --prefix"
[ -w "$bin" ] || fail "cannot write to $bin: choose another --prefix"
work=$(mktemp -d "$bin/.sluice-install.XXXXXX") || fail "cannot write to $bin: choose another --prefix"

# Fetches a file over https with TLS 1.2 or newer. On loopback redirects are not followed, so that
# nothing leaves the machine.
fetch() {
    case "$fetcher/$schemes" in
        curl/https)
            curl --fail --silent --show-error --location --proto '=https' --tlsv1.2 \
                --output "$2" "$1" 2>"$work/said"
            ;;
        curl/http)
            # curl treats a redirect as success.
            status=$(curl --silent --show-error --proto '=http' --output "$2" \
                --write-out '%{http_code}' "$1" 2>"$work/said") || return 1
            [ "$status" = 200 ] || {
                printf 'the server answered %s\n' "$status" >"$work/said"
                return 1
            }
            ;;
        wget/https) fetch_by_wget "$1" "$2" ;;
        wget/http) wget -nv --max-redirect=0 -O "$2" "$1" 2>"$work/said" ;;
    esac
}

# wget cannot restrict redirects to https, so this follows them itself.
fetch_by_wget() {
    url="$1"
    hops=0
    while [ "$hops" -lt 6 ]; do
        if wget -nv -S --secure-protocol=TLSv1_2 --max-redirect=0 -O "$2" "$url" 2>"$work/said"; then
            return 0
        fi
        url=$(sed -n 's/^ *[Ll][Oo][Cc][Aa][Tt][Ii][Oo][Nn]: *\([^ ]*\).*/\1/p' "$work/said" | tr -d '\r' | tail -n 1)
        case "$url" in
            https://*) hops=$((hops + 1)) ;;
            *) return 1 ;;
        esac
    done
    return 1
}

sha256() {
    if have sha256sum; then
        sha256sum <"$1" | cut -d ' ' -f 1
    elif have shasum; then
        shasum -a 256 <"$1" | cut -d ' ' -f 1
    else
        openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
    fi
}

# Verifies the signature of a file: ECDSA over the SHA-256, as base64. Either program will do.
signed() {
    if have openssl; then
        openssl base64 -d -A -in "$2" -out "$work/signature" 2>"$work/said" &&
            openssl dgst -sha256 -verify "$3" -signature "$work/signature" "$1" >"$work/said" 2>&1
    else
        cosign verify-blob --key "$3" --signature "$2" --insecure-ignore-tlog=true "$1" >"$work/said" 2>&1
    fi
}

from_release() {
    if [ -z "$version" ]; then
        fetch "$release_url/latest/download/sluice_version.txt" "$work/version" ||
            fail "failed to read the newest version from $release_url/latest/download/sluice_version.txt: $(reason)"
        version=$(head -n 1 "$work/version" | tr -d '\r')
        case "${version#v}" in
            "" | *[!0-9A-Za-z.+-]* | -* | .*) fail "$release_url does not name the newest release" ;;
        esac
    fi
    number="${version#v}"
    folder="$release_url/download/v$number"
    archive="sluice_${number}_${platform}.tar.gz"
    sums="sluice_${number}_checksums.txt"
    fetch "$folder/$sums" "$work/sums" ||
        fail "failed to find release v$number at $folder/$sums: $(reason)"
    if [ -n "$RELEASE_KEY" ] && [ -z "$public_key" ]; then
        public_key="$work/key"
        printf '%s\n' "$RELEASE_KEY" >"$public_key"
    fi
    if [ -n "$public_key" ]; then
        fetch "$folder/$sums.sig" "$work/sums.sig" ||
            fail "release v$number is not signed: cannot fetch $folder/$sums.sig: $(reason)"
        signed "$work/sums" "$work/sums.sig" "$public_key" ||
            fail "the checksums of v$number are not signed by the given key"
        say "✔ the signature of v$number is good"
    elif [ "$unsigned" = yes ]; then
        say '⚠️ the signature is not verified: set --public-key'
    else
        fail "no key to verify the signature of v$number: set --public-key FILE, or --unsigned to go without"
    fi
    expected=$(awk -v file="$archive" '$2 == file || $2 == "*" file { print $1 }' "$work/sums")
    case "$expected" in
        "") fail "release v$number has no $archive" ;;
        *[!0-9a-f]*) fail "the checksums of v$number are not SHA-256" ;;
    esac
    say "► fetching $folder/$archive"
    fetch "$folder/$archive" "$work/archive" ||
        fail "cannot fetch $folder/$archive: $(reason)"
    found=$(sha256 "$work/archive")
    [ "$found" = "$expected" ] ||
        fail "$archive has the SHA-256 $found, but the checksums list $expected"
    say "✔ the checksum of $archive is good"
    mkdir "$work/release"
    gzip -dc <"$work/archive" | tar -xf - -C "$work/release" ||
        fail "cannot unpack $archive"
    program="$work/release/sluice"
    shared="$work/release"
    # `--version` prints the version of Flux; this prints our own, too.
    "$program" version --client >"$work/said" 2>&1 ||
        fail "the program of v$number does not run on this machine: $(reason)"
    grep -qxF "sluice: v$number" "$work/said" ||
        fail "the program of v$number reports another version: '$(reason)'"
}

# Weighs the packages that the program consists of: our own, which compile last, count as ten.
weigh_packages() {
    cargo tree --locked --package sluice --edges normal,build --prefix none --format '{p}' |
        sed 's/ (\*)$//' | sort -u |
        awk '{ count += / \(\// ? 10 : 1 } END { print count + 0 }'
}

# Reads cargo's messages and shows how much of the build is done and how long the rest may take.
show_progress() {
    total=$(($1 > 0 ? $1 : 1))
    started=$(date +%s)
    done=0
    shown=-1
    : >"$work/seen"
    while IFS= read -r line; do
        case "$line" in
            '{"reason":"compiler-artifact"'*) ;;
            *) continue ;;
        esac
        package="${line#*\"package_id\":\"}"
        package="${package%%\"*}"
        ! grep -qxF "$package" "$work/seen" || continue
        printf '%s\n' "$package" >>"$work/seen"
        case "$package" in
            path+file:*) done=$((done + 10)) ;;
            *) done=$((done + 1)) ;;
        esac
        [ "$done" -le "$total" ] || done="$total"
        percent=$((100 * done / total))
        [ "$percent" -gt "$shown" ] || continue
        shown="$percent"
        elapsed=$(($(date +%s) - started))
        left=$((elapsed * (total - done) / done))
        text="  $percent %, $((elapsed / 60)) min $((elapsed % 60)) s, about $(((left + 59) / 60)) min left"
        if [ -t 2 ]; then
            printf '\r%s  ' "$text" >&2
        elif [ $((percent % 10)) = 0 ]; then
            say "$text"
        fi
    done
    [ ! -t 2 ] || printf '\r%50s\r' '' >&2
}

from_source() {
    cd "$here"
    cache="${SLUICE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/sluice}"
    export SLUICE_CACHE_DIR="$cache"
    target="${CARGO_TARGET_DIR:-$cache/target}"
    if [ "$demo" = yes ]; then
        profile=demo
        say '► building sluice for the demo, without optimisation (the first build compiles about 490 packages)'
    else
        profile=release
        say '► building sluice as it is shipped (the first build takes about 20 minutes on 2 cores)'
    fi
    # If this fails, the build fails too and says why.
    total=$(weigh_packages 2>/dev/null)
    # Only the last link is static, so other builds can share the compiled crates. Packed relocations
    # save memory in every process.
    {
        status=0
        CARGO_TARGET_DIR="$target" cargo rustc --profile "$profile" --locked --package sluice --bin sluice \
            --message-format json-render-diagnostics -- \
            -C target-feature=+crt-static -C link-arg=-Wl,-z,pack-relative-relocs \
            2>"$work/build" || status=$?
        printf '%s\n' "$status" >"$work/status"
    } | show_progress "$total"
    if [ "$(cat "$work/status")" != 0 ]; then
        grep -vE '^ *(Compiling|Downloaded|Downloading|Fresh) ' "$work/build" >&2
        fail "cargo could not build sluice"
    fi
    program="$work/sluice"
    cp "$target/$profile/sluice" "$program"
    shared="$here"
}

# Installs a file unless it is there already.
place() {
    if [ ! -L "$2" ] && cmp -s "$1" "$2"; then
        return 1
    fi
    staged="$work/staged"
    cp "$1" "$staged"
    chmod "$3" "$staged"
    mv -f "$staged" "$2"
}

link_to_sluice() {
    if [ "$(readlink "$bin/$1" 2>/dev/null || true)" != sluice ]; then
        ln -s sluice "$work/link"
        mv -f "$work/link" "$bin/$1"
        say "✔ linked $bin/$1"
    fi
}

if [ "$source" = yes ]; then
    from_source
else
    from_release
fi

if place "$program" "$bin/sluice" 0755; then
    say "✔ installed $bin/sluice"
else
    say "✔ $bin/sluice is up to date"
fi
if [ "$link" = yes ]; then
    link_to_sluice flux
fi
# kubectl finds plugins by name.
if ours kubectl-sluice; then
    link_to_sluice kubectl-sluice
else
    say "⚠️ $bin/kubectl-sluice exists and is not ours: skipped"
fi
if [ "$share" = yes ]; then
    fish="$prefix/share/fish/vendor_completions.d"
    bash="$prefix/share/bash-completion/completions"
    zsh="$prefix/share/zsh/site-functions"
    man="$prefix/share/man/man1"
    mkdir -p "$fish" "$bash" "$zsh" "$man"
    names="sluice"
    [ "$link" = no ] || names="sluice flux"
    for name in $names; do
        place "$shared/completions/$name.fish" "$fish/$name.fish" 0644 || true
        place "$shared/completions/$name.bash" "$bash/$name" 0644 || true
        place "$shared/completions/$name.zsh" "$zsh/_$name" 0644 || true
    done
    for page in "$shared"/man/*.1; do
        place "$page" "$man/${page##*/}" 0644 || true
    done
    say "✔ completions and manual pages are in $prefix/share"
fi
case ":$PATH:" in
    *":$bin:"*) ;;
    *) say "⚠️ $bin is not on your PATH" ;;
esac

if [ "$demo" = yes ]; then
    rm -rf "$work"
    "$bin/sluice" dev --once
    say '► this build is slow; ./install.sh without --demo builds sluice as it is shipped'
fi
