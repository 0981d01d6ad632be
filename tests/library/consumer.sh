#!/usr/bin/env bash
# consumer.sh CMAKE BUILD [CPACK]: builds and runs programs in C and C++ with what users get, by CMake and by pkg-config: with
# what `cmake --install` makes, moved; or, with CPACK, with the Debian packages, unpacked, and then the Python package too.
# The checkout is out of sight meanwhile where the test may hide it (as root). Must never write outside the scratch folder.
set -uo pipefail
if [[ ${1:-} != --use ]]; then
  cmake=$1 build=$2 cpack=${3:-}
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  must() { "$@" >"$scratch/log" 2>&1 || { printf 'failed: %s\n' "$*"; cat "$scratch/log"; exit 1; }; }
  cp -r tests/library/consumer "$scratch/source"
  cp tests/library/consumer.sh "$scratch"
  if [[ -n $cpack ]]; then
    must "$cpack" -D CPACK_DEBIAN_PACKAGE_SHLIBDEPS=OFF --config "$build/CPackConfig.cmake" -B "$scratch/made"
    for package in "$scratch"/made/*.deb; do must dpkg-deb --extract "$package" "$scratch/root"; done
    mv "$scratch/root/usr" "$scratch/moved"
    rm -rf "$scratch/made"
  else
    must "$cmake" --install "$build" --prefix "$scratch/first"
    mv "$scratch/first" "$scratch/moved"
  fi
  use=("$scratch/consumer.sh" --use "$cmake" "$scratch" "$build")
  if unshare --mount true 2>/dev/null; then
    # shellcheck disable=SC2016  # the inner shell expands them
    unshare --mount sh -c 'mount -t tmpfs none "$0" && cd / && exec bash "$@"' "$PWD" "${use[@]}"
  else
    bash "${use[@]}"
  fi
  exit
fi

cmake=$2 scratch=$3 build=$4
cd "$scratch" || exit 1
must() { "$@" >log 2>&1 || { printf 'failed: %s\n' "$*"; cat log; exit 1; }; }
unset WSEVM_DATA WSEVM_JIT WSEVM_LIBRARY

must "$cmake" -S source -B made -DCMAKE_PREFIX_PATH="$scratch/moved" -DCMAKE_BUILD_TYPE=Release
must "$cmake" --build made
# It knows the package's place, as programs in CMake's build trees do.
must made/in_c
must made/in_cpp engine=interp
if [[ -n $(find moved -name wsevm-jit.so) ]]; then must made/in_cpp engine=jit; fi

library=$(dirname "$(find "$scratch/moved" -name 'libwsevm.so.0' | head -n 1)")
export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
if command -v pkg-config >/dev/null; then
  read -ra flags <<<"$(pkg-config --cflags --libs wsevm)"
  must cc -std=c99 -Wall -Wextra -Wpedantic -Werror source/consumer.c -o plain "${flags[@]}" -lm
  must ./plain
  must c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror source/consumer.cpp -o plain_cpp "${flags[@]}"
  must ./plain_cpp engine=interp
fi
# Run paths and folders of the build would work here alone.
if readelf -d "$library/libwsevm.so.0" | grep -E 'R(UN)?PATH'; then echo 'the library has a run path'; exit 1; fi
if strings -d "$library/libwsevm.so.0" | grep -F "$build"; then echo 'the library has paths of the build in its data'; exit 1; fi

packages=moved/lib/python3/dist-packages
if [[ -d $packages ]]; then
  export PYTHONPATH=$scratch/$packages PYTHONDONTWRITEBYTECODE=1
  mkdir empty
  cd empty || exit 1
  program='import wsevm; print(wsevm.__file__); assert wsevm.run("programs/hello/hello.wsa").status == "halted"'
  must /usr/bin/python3 -X dev -W error -c "$program"
  grep -qF "$scratch/$packages" log || { echo 'it is another package'; exit 1; }
  examples=$scratch/moved/share/wsevm/scripts/python/examples
  for example in "$examples"/*.py "$examples"/sdk/*.py; do
    must /usr/bin/python3 -X dev -W error "$example"
  done
fi
