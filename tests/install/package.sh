#!/usr/bin/env bash
# package.sh CPACK BUILD with|without: makes the Debian packages of the build and looks into them: what they are called, what
# they need, that one holds the installed tree and nothing else, that what it holds runs, and what Python's holds.
# Prints each thing that is wrong. Must never write outside its scratch folder, nor install anything.
set -uo pipefail
cpack=$1 build=$2 needs=$3 # with or without the packages that it needs
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
wrong() {
  printf '%s\n' "$*"
  failures=$((failures + 1))
}
field() { dpkg-deb --field "$package" "$1"; }

shlibdeps=ON
[[ $needs == with ]] || shlibdeps=OFF
"$cpack" -D CPACK_DEBIAN_PACKAGE_SHLIBDEPS=$shlibdeps --config "$build/CPackConfig.cmake" -B "$scratch/made" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
packages=("$scratch"/made/*.deb)
expected=2
[[ ! -e $build/wsevm-mpi.so ]] || expected=3
[[ ${#packages[@]} -eq $expected && -f ${packages[0]} ]] || { echo "not $expected packages: ${packages[*]}"; exit 1; }
if [[ $expected -eq 3 ]]; then
  package=$(ls "$scratch"/made/wsevm-mpi_*.deb)
  [[ $(field Package) == wsevm-mpi && $(field Depends) == 'wsevm (= '*openmpi-bin* ]] || wrong "that of Open MPI: $(field Package), $(field Depends)"
  [[ $(dpkg-deb --contents "$package" | awk '!/\/$/ {print $6}') == ./usr/lib*/wsevm/wsevm-mpi.so ]] || wrong 'that of Open MPI holds other files'
fi
package=$(ls "$scratch"/made/python3-wsevm_*.deb)
[[ $(field Package) == python3-wsevm && $(field Architecture) == all ]] || wrong "Python's: $(field Package), $(field Architecture)"
[[ $(field Depends) == 'python3, python3-numpy, wsevm (= '* ]] || wrong "Python's needs $(field Depends)"
diff <(dpkg-deb --contents "$package" | awk '!/\/$/ {print $6}' | LC_ALL=C sort) \
  <(find scripts/python/wsevm -name '*.py' -o -name py.typed | sed 's,^scripts/python,./usr/lib/python3/dist-packages,' | LC_ALL=C sort) ||
  wrong "Python's package holds other files than the sources"
for script in postinst prerm; do
  diff <(dpkg-deb --info "$package" $script) scripts/python/debian/$script || wrong "Python's $script is not that of scripts/python/debian"
done
package=$(ls "$scratch"/made/wsevm_*.deb)
version=$("$build/wsevm" --version | sed -n '1s/^wsevm \([0-9.]*\).*/\1/p')
[[ $(field Package) == wsevm ]] || wrong "its name: $(field Package)"
[[ -n $version && $(field Version) == "$version"* ]] || wrong "its version: $(field Version), wsevm says $version"
[[ $needs == without || $(field Depends) == *libc6*liblua5.4-0* ]] || wrong "it does not name the libraries it needs: $(field Depends)"
[[ $(field Recommends) == librsvg2-bin ]] || wrong "it does not recommend what converts pictures: $(field Recommends)"

dpkg-deb --extract "$package" "$scratch/unpacked" || exit 1
[[ $(ls "$scratch/unpacked") == usr ]] || wrong "files outside /usr: $(ls "$scratch/unpacked")"
DESTDIR=$scratch/stage cmake --install "$build" --prefix /usr >"$scratch/log" || { cat "$scratch/log"; exit 1; }
diff <(cd "$scratch/stage" && find . -type f ! -name wsevm-mpi.so | LC_ALL=C sort) <(cd "$scratch/unpacked" && find . -type f | LC_ALL=C sort) ||
  wrong 'the package holds other files than the installed tree'
cd "$scratch" || exit 1
said=$("$scratch/unpacked/usr/bin/wsevm" run programs/hello/hello.wsa </dev/null) || wrong 'it does not run a program of its own'
[[ -n $said ]] || wrong 'the program prints nothing'
[[ $failures -eq 0 ]] || { echo "$failures wrong"; exit 1; }
