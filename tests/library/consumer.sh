#!/usr/bin/env bash
# consumer.sh CMAKE BUILD: installs the build into a scratch folder, moves what came out, and builds and runs programs in C
# and C++ with it, by CMake and by pkg-config. Must never write outside the scratch folder.
set -uo pipefail
cmake=$1 build=$2
source=$PWD/tests/library/consumer
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
must() { "$@" >log 2>&1 || { printf 'failed: %s\n' "$*"; cat log; exit 1; }; }
unset WSEVM_DATA WSEVM_JIT

must "$cmake" --install "$build" --prefix "$scratch/first"
mv first moved
must "$cmake" -S "$source" -B made -DCMAKE_PREFIX_PATH="$scratch/moved" -DCMAKE_BUILD_TYPE=Release
must "$cmake" --build made
# It knows the package's place, as programs in CMake's build trees do.
must made/in_c
must made/in_cpp engine=interp
if [[ -n $(find moved -name wsevm-jit.so) ]]; then must made/in_cpp engine=jit; fi

library=$(dirname "$(find "$scratch/moved" -name 'libwsevm.so.0' | head -n 1)")
export PKG_CONFIG_PATH=$library/pkgconfig
if command -v pkg-config >/dev/null; then
  read -ra flags <<<"$(pkg-config --cflags --libs wsevm)"
  must cc -std=c99 -Wall -Wextra -Wpedantic -Werror "$source/consumer.c" -o plain "${flags[@]}" -lm
  must env LD_LIBRARY_PATH="$library" ./plain
fi
# Run paths and folders of the build would work here alone.
if readelf -d "$library/libwsevm.so.0" | grep -E 'R(UN)?PATH'; then echo 'the library has a run path'; exit 1; fi
if strings -d "$library/libwsevm.so.0" | grep -F "$build"; then echo 'the library has paths of the build in its data'; exit 1; fi
