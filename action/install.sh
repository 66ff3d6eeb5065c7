#!/bin/sh
# The step of the action: passes the inputs to the installer and adds the program to the PATH of
# later steps. It sends no token, because releases are files.
set -eu

fail() {
    printf '::error::%s\n' "$1"
    exit 1
}

installer="$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)/install.sh"
bin="${INPUT_BINDIR:-${RUNNER_TEMP:?the runner sets it}/sluice/bin}"
version="${INPUT_VERSION:-}"
if [ -n "${INPUT_VERSION_FILE:-}" ]; then
    [ -z "$version" ] || fail "set either version or version-file"
    [ -r "$INPUT_VERSION_FILE" ] || fail "cannot read the version-file $INPUT_VERSION_FILE"
    version=$(head -n 1 "$INPUT_VERSION_FILE" | tr -d ' \r')
    [ -n "$version" ] || fail "the version-file $INPUT_VERSION_FILE is empty"
fi

set -- "$bin"
[ -z "$version" ] || set -- "$@" "--version=$version"
[ -z "${INPUT_RELEASE_URL:-}" ] || set -- "$@" "--release-url=$INPUT_RELEASE_URL"
if [ -n "${INPUT_PUBLIC_KEY:-}" ]; then
    printf '%s\n' "$INPUT_PUBLIC_KEY" >"$RUNNER_TEMP/sluice.pub"
    set -- "$@" "--public-key=$RUNNER_TEMP/sluice.pub"
fi
[ "${INPUT_UNSIGNED:-no}" != yes ] || set -- "$@" --unsigned
sh "$installer" "$@" || fail "sluice could not be installed"

printf '%s\n' "$bin" >>"${GITHUB_PATH:?the runner sets it}"
installed=$("$bin/sluice" version --client | sed -n 's/^sluice: //p')
printf 'version=%s\n' "$installed" >>"${GITHUB_OUTPUT:?the runner sets it}"
for plugin in $(printf '%s' "${INPUT_PLUGINS:-}" | tr ',' ' '); do
    "$bin/sluice" plugin install -- "$plugin" || fail "the plugin $plugin could not be installed"
done
