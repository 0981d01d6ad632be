#!/usr/bin/env bash
# Proves that a newcomer's first commands work: a new Debian 12, a clone of HEAD, ./dev demo, ./dev test; and that
# the packages of ./dev package install, run and go without leftovers in another one, which has no compiler.
# The new root lives in a temporary folder; its mounts live in a mount namespace of their own, so they
# end with it and removing the folder can never reach into the host. Takes no argument; needs root.
set -euo pipefail
checkout=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
suite=bookworm

say() { printf '== %s\n' "$*" >&2; }

fail() {
  printf 'fresh: %s\n' "$2" >&2
  exit "$1"
}

# Where the host gets Debian's own packages from: one `deb` line per suite; nothing on another release.
# shellcheck disable=SC2016  # apt fills in $(...) itself
host_sources() {
  apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' 2>/dev/null |
    awk -v suite="$suite" '$1 == "Debian" && index($3, suite) == 1 { print "deb", $2, $3, $4 }' |
    sort -u || true
}

# How the host reaches it: proxies and certificates, nothing else.
host_settings() { apt-config dump | grep -iE '^Acquire::(https?|Retries)(::| )' || true; }

# Runs in the mount namespace: make_root FOLDER.
make_root() {
  local root=$1 sources mirror
  sources=$(host_sources)
  mirror=$(awk -v suite="$suite" '$3 == suite { print $2; exit }' <<<"$sources")
  mirror=${mirror:-http://deb.debian.org/debian}
  debootstrap --variant=minbase --include=git,ca-certificates "$suite" "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail -n 20 "$root.log" >&2; fail 1 'debootstrap failed'; }
  [[ -z $sources ]] || printf '%s\n' "$sources" >"$root/etc/apt/sources.list"
  host_settings >"$root/etc/apt/apt.conf.d/90host"
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  local certificate
  for certificate in /usr/local/share/ca-certificates/*.crt; do
    if [[ -e $certificate ]]; then cp "$certificate" "$root/usr/local/share/ca-certificates/"; fi
  done
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/tmp"
  inside "$root" update-ca-certificates >/dev/null 2>&1
}

# inside FOLDER COMMAND...: in the new root, with nothing of the host's environment but its proxies.
inside() {
  local root=$1 name environment=()
  shift
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    if [[ -n ${!name:-} ]]; then environment+=("$name=${!name}"); fi
  done
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    "${environment[@]}" chroot "$root" "$@" </dev/null
}

# timed NAME COMMAND...: runs it and keeps the seconds it took.
timed() {
  local name=$1 start=$SECONDS code=0
  shift
  say "fresh: $name"
  "$@" || code=$?
  [[ $code -eq 0 ]] || fail 1 "$name failed with exit code $code"
  took+=("$name $((SECONDS - start)) s")
}

# Every file and folder of the root but what apt and dpkg keep of their own work.
listing() {
  (cd "$1" && find . -xdev -path ./proc -prune -o -path ./tmp -prune -o -path ./var/log -prune -o -path ./var/cache -prune -o \
    -path ./var/lib/apt -prune -o -path ./var/lib/dpkg -prune -o -print | LC_ALL=C sort)
}

# prove_package FOLDER DEBS: in a new root, so that what the packages need comes from their own lists.
prove_package() {
  local root=$1 said example
  cp "$2"/wsevm_*.deb "$root/srv/wsevm.deb"
  cp "$2"/python3-wsevm_*.deb "$root/srv/python3-wsevm.deb"
  inside "$root" apt-get update -q
  # What they need stays when they go: only their own files are looked for.
  # shellcheck disable=SC2016  # the inner shell expands it
  inside "$root" sh -c 'apt-get install -q -y --no-install-recommends $(for each in wsevm python3-wsevm; do
    dpkg-deb --field "/srv/$each.deb" Depends; done | sed "s/([^)]*)//g; s/|[^,]*//g; s/\bwsevm\b//; s/,//g")'
  listing "$root" >"$root.before"
  inside "$root" apt-get install -q -y --no-install-recommends /srv/wsevm.deb /srv/python3-wsevm.deb
  said=$(inside "$root" sh -c 'cd /tmp && wsevm run programs/hello/hello.wsa')
  [[ -n $said ]] || fail 1 'the installed wsevm prints nothing'
  for example in gemv_05 conjugate_gradient; do
    inside "$root" python3 /usr/share/wsevm/scripts/python/examples/sdk/$example.py || fail 1 "$example.py of the package fails"
  done
  inside "$root" apt-get purge -q -y python3-wsevm wsevm
  listing "$root" | diff "$root.before" - || fail 1 'the package leaves something behind, or takes too much with it'
}

prove() {
  local root=$1
  took=()
  timed 'new root' make_root "$root"
  mkdir -p "$root/srv"
  git -C "$checkout" clone --quiet --bare . "$root/srv/wsevm.git"
  timed clone inside "$root" git clone --quiet file:///srv/wsevm.git /srv/wsevm
  timed './dev demo' inside "$root" /srv/wsevm/dev demo
  timed './dev test' inside "$root" /srv/wsevm/dev test
  timed './dev package' inside "$root" /srv/wsevm/dev package
  mkdir "$root-of-package"
  chmod 755 "$root-of-package"
  timed 'new root for the package' make_root "$root-of-package"
  timed 'install, run, remove' prove_package "$root-of-package" "$root/srv/wsevm/build/package"
  printf 'fresh: fine;'
  printf ' %s;' "${took[@]}"
  printf '\n'
}

main() {
  [[ $# -eq 0 ]] || fail 2 'takes no argument'
  [[ $(id -u) -eq 0 ]] || fail 3 'needs root (debootstrap and chroot)'
  command -v debootstrap >/dev/null || fail 3 'debootstrap is missing; ./dev setup installs it'
  git -C "$checkout" rev-parse --quiet --verify HEAD >/dev/null || fail 2 'there is no commit to clone'
  if [[ -n $(git -C "$checkout" status --porcelain) ]]; then
    say 'fresh: changes that are not committed are not part of what is proved'
  fi
  local folder worker=
  folder=$(mktemp -d "${TMPDIR:-/var/tmp}/wsevm-fresh-XXXXXX")
  # shellcheck disable=SC2064  # the folder's name of now is meant
  trap "[[ -z \${worker:-} ]] || kill \"\$worker\" 2>/dev/null || true; wait || true
        rm -rf --one-file-system '$folder'" EXIT
  trap 'exit 130' INT TERM HUP
  mkdir "$folder/root"
  chmod 755 "$folder" "$folder/root"
  unshare --mount --pid --fork --kill-child "${BASH_SOURCE[0]}" --prove "$folder/root" &
  worker=$!
  wait "$worker"
}

if [[ ${1:-} == --prove && $# -eq 2 ]]; then
  prove "$2"
else
  main "$@"
fi
