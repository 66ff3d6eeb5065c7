#!/usr/bin/env bash
# Runs all checks and tests of the repository and installs required packages.
#
#   ./test.sh            everything.
#   ./test.sh quick      formatting, lints, layers, plain English and unit tests.
#   ./test.sh checks     formatting, lints, docs, layers, plain English, commits, derived files, licences.
#   ./test.sh tests      the tests only.
#   ./test.sh site       the documentation as a site with search, in target/site.
#   ./test.sh run CMD…   one command, run like a step.
#
# Needs Rust, Go, git and a C compiler. As root on a Debian-like system it installs servers
# (sshd, containerd, …) and runs the tests with a real node. Elsewhere
# those tests are skipped; REQUIRE_TIER2=1 and REQUIRE_ORACLES=1 turn a skip into a failure.
#
# Compiled crates, Kubernetes binaries and cargo tools are cached under $SLUICE_CACHE_DIR
# (default: ~/.cache/sluice). Deleting the cache costs only time.
#
# A run leaves no process and no temporary file, even after `kill -9`: see `keeper`.
set -euo pipefail
cd "$(dirname "$0")"

cache="${SLUICE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/sluice}"
export SLUICE_CACHE_DIR="$cache"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$cache/target}"
export CARGO_TERM_COLOR="${CARGO_TERM_COLOR:-auto}"
# One compiled form of each dependency for checks, tests and tools.
export CARGO_INCREMENTAL=0
export PATH="$cache/cargo-tools/bin:$PATH"
mkdir -p "$cache"

# All temporary files of this run, and the pipe whose end shows the keeper that the run is over.
scratch="$(mktemp -d "${TMPDIR:-/tmp}/sluice-test.XXXXXX")"
mkfifo "$scratch/lifeline"
mkdir "$scratch/tmp"

# Ends the processes of this script once the script has ended in any way: the script has the only
# writing end of the pipe. Each step writes its process group to it, and an empty line at its end.
# Process groups of the tests end with the tests.
keeper() {
    local line group=''
    while read -r line; do group="$line"; done
    if [ -n "$group" ]; then kill -KILL -- "-$group" 2>/dev/null || true; fi
    # Dying servers may still write.
    for _ in {1..100}; do
        rm -rf -- "$scratch" 2>/dev/null && [ ! -e "$scratch" ] && break
        sleep 0.1
    done
}

# In a separate process group, so that it outlives ours.
set -m
exec 9<>"$scratch/lifeline"
keeper <"$scratch/lifeline" >/dev/null 2>&1 9>&- &
set +m
disown
export TMPDIR="$scratch/tmp"

step() {
    local name="$1" start=$SECONDS status=0
    shift
    printf '\n==> %s\n' "$name"
    run "$@" || status=$?
    printf '    %s: %ss\n' "$name" "$((SECONDS - start))"
    return "$status"
}

# Runs a command in a process group that does not outlive this script.
run() {
    set -m
    {
        echo "$BASHPID" >&9
        exec 9>&- </dev/null
        "$@"
    } &
    set +m
    local status=0
    wait "$!" || status=$?
    echo >&9
    return "$status"
}

require() {
    local missing=()
    for tool in cargo go git cc; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    if [ "${#missing[@]}" -gt 0 ]; then
        echo "test.sh: missing: ${missing[*]} (needed: Rust 1.95, Go 1.26, git and a C compiler)" >&2
        exit 1
    fi
}

# Servers and shells of the tests, and programs that install.sh uses. Packages do not start services:
# tests run their own, with their own state.
system_packages() {
    local wanted=() package
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 0
    for package in openssh-server gnupg containerd runc containernetworking-plugins iptables iproute2 zsh fish bash-completion busybox curl wget openssl shellcheck; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || wanted+=("$package")
    done
    if [ "${#wanted[@]}" -gt 0 ]; then
        echo "    installing ${wanted[*]}"
        export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null
    fi
}

# Installs a pinned cargo tool into the cache.
cargo_tool() {
    local name="$1" version="$2" root="$cache/cargo-tools"
    case "$("$root/bin/$name" --version 2>/dev/null)" in
        *" $version" | *" v$version") return ;;
    esac
    echo "    building $name $version"
    CARGO_TARGET_DIR="$cache/cargo-tools-target" \
        cargo install --quiet --locked --root "$root" --version "$version" "$name"
    rm -rf "$cache/cargo-tools-target"
}

cargo_deny() {
    cargo_tool cargo-deny 0.20.2
    cargo-deny --offline --workspace --log-level warn check \
        -D unmatched-skip -D unnecessary-skip -D unused-wrapper licenses bans sources
}

# The database comes from the network, which a machine may lack. REQUIRE_ADVISORIES=1 turns the skip
# into a failure.
advisories() {
    cargo_tool cargo-deny 0.20.2
    if ! timeout 120 cargo-deny --workspace --log-level off fetch db 2>/dev/null; then
        [ -z "${REQUIRE_ADVISORIES:-}" ] || { echo "REQUIRE_ADVISORIES is set and the RustSec database cannot be fetched" >&2; return 1; }
        echo "    skipped: the RustSec database cannot be fetched"
        return 0
    fi
    cargo-deny --offline --workspace --log-level warn check advisories
}

# The documentation in HTML. The checks read the pages without mdBook.
site() {
    step "mdBook" cargo_tool mdbook 0.5.4
    step "site" cargo xtask site
}

# Tests of `cargo xtask release` run these.
release_tools() {
    cargo_tool cargo-deb 3.8.0
    cargo_tool cargo-cyclonedx 0.5.9
}

# Scripts of users, for any shell.
scripts() {
    if ! command -v shellcheck >/dev/null; then
        [ -z "${REQUIRE_ORACLES:-}" ] || { echo "REQUIRE_ORACLES is set and shellcheck is not installed" >&2; return 1; }
        echo "    skipped: shellcheck is not installed"
        return 0
    fi
    shellcheck --shell=sh install.sh action/install.sh hooks/* .githooks/*
    shellcheck --shell=bash test.sh .ci/run
}

# Without servers, docs and other profiles: for the time between two edits.
quick() {
    step "format" cargo fmt --all --check
    step "clippy" cargo clippy --workspace --all-targets --locked -- -D warnings
    step "layers" cargo xtask layers
    step "prose" cargo xtask prose
    step "unit tests" cargo test --workspace --lib --bins --locked --quiet
}

checks() {
    step "format" cargo fmt --all --check
    step "clippy" cargo clippy --workspace --all-targets --locked -- -D warnings
    step "command line without controllers" \
        cargo clippy --package sluice --no-default-features --locked -- -D warnings
    # Includes private items, for developers.
    step "docs" env RUSTDOCFLAGS="-D warnings -A rustdoc::private_intra_doc_links" cargo doc --workspace --no-deps --document-private-items --locked --quiet
    step "layers" cargo xtask layers
    step "prose" cargo xtask prose
    step "messages of commits" cargo xtask commits
    step "derived files" cargo xtask generate --check
    step "links of pages" cargo xtask site --check
    step "scripts" scripts
    step "licences and sources" cargo_deny
    step "advisories" advisories
}

tests() {
    step "cluster binaries" cargo xtask cluster tools
    step "release tools" release_tools
    # The image of the tests on a real node. The other tests share most of its crates.
    export SLUICE_IMAGE="$CARGO_TARGET_DIR/image/sluice.tar"
    step "image" cargo xtask image --profile dev --output "$SLUICE_IMAGE"
    # Long tests mostly wait for a cluster, so two run on each core.
    export SLUICE_SKIP_LOG="$scratch/skipped"
    local status=0
    step "recorded answers of kustomize" cargo xtask conformance refresh --check
    step "tests" run_tests env RUST_TEST_THREADS="$((2 * $(nproc)))" \
        cargo test --workspace --locked --no-fail-fast || status=$?
    slowest_binaries
    skipped_tests
    return "$status"
}

# Keeps the output for the summary.
run_tests() {
    set -o pipefail
    "$@" 2>&1 | tee "$scratch/tests.log"
}

# `cargo test` names a binary before its tests, and its time after them.
slowest_binaries() {
    printf '\nslowest test binaries:\n'
    awk '/^ +Running |^ +Doc-tests / { name = $2 == "unittests" ? $4 : $2; sub(/.*deps\//, "", name); sub(/-[0-9a-f]+\)$/, "", name) }
        /^test result:/ { sub(/s$/, "", $NF); printf "%8.1fs  %s\n", $NF, name }' "$scratch/tests.log" |
        sort -rn | head -n 10
}

# Ratios to the floor and to the reference of the same run, so that the machine does not matter.
costs() {
    local binary="$CARGO_TARGET_DIR/debug/sluice"
    cargo build --locked --quiet --package sluice
    cargo xtask bench --quick kustomize --check --turns 2 --binary "$binary"
    cargo xtask bench --quick mttp --check --objects 50 --binary "$binary"
    cargo xtask bench --quick mttp --kind helm --check --objects 20 --binary "$binary"
    cargo xtask bench --quick identity --check
}

# The tests record what this machine lacks: see dev/skip.
skipped_tests() {
    [ -s "$scratch/skipped" ] || return 0
    sort -u "$scratch/skipped" >"$scratch/skipped.sorted"
    printf '\nskipped, %s tests:\n' "$(wc -l <"$scratch/skipped.sorted")"
    sed 's/^/    /' "$scratch/skipped.sorted"
}

require
if [ "${1:-all}" = run ]; then
    shift
    run "$@"
    exit
fi
[[ "${1:-all}" =~ ^(quick|site)$ ]] || step "system packages" system_packages
case "${1:-all}" in
    quick) quick ;;
    checks) checks ;;
    tests) tests ;;
    site) site ;;
    all)
        checks
        tests
        step "speed and memory" costs
        ;;
    *)
        echo "test.sh: unknown argument '$1'; use none, 'quick', 'checks', 'tests', 'site' or 'run'" >&2
        exit 2
        ;;
esac
printf '\nall green in %ss\n' "$SECONDS"
