#!/usr/bin/env bash
# sanitized.sh PYTHON BUILD CLANG: the smoke tests of the Python package with the library of a build with the address sanitizer:
# nothing is read or written beside its memory, and all that is made is freed, but for what Python itself keeps to its end.
set -euo pipefail
python=$1 build=$2 clang=$3
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# A leak is Python's if these are among the few calls that led to it.
printf 'leak:%s\n' python3 _ctypes numpy >"$scratch/kept"
export WSEVM_LIBRARY=$build/libwsevm.so.0 PYTHONDONTWRITEBYTECODE=1 WSEVM_DATA=$PWD PYTHONPATH=scripts/python PYTHONMALLOC=malloc
export ASAN_OPTIONS=detect_leaks=1:malloc_context_size=3:quarantine_size_mb=16
export LSAN_OPTIONS=suppressions=$scratch/kept:print_suppressions=0
runtime=$("$clang" -print-file-name=libclang_rt.asan-x86_64.so)

# A text that nobody frees must be seen.
leaks='import ctypes, wsevm._library as lib; lib.call("wsevm_profiles", ctypes.byref(ctypes.c_void_p()))'
if LD_PRELOAD=$runtime "$python" -c "$leaks" 2>"$scratch/leaks"; then echo 'a leak is not seen'; exit 1; fi
grep -q 'wse::library::owned_text' "$scratch/leaks" || { cat "$scratch/leaks"; exit 1; }

LD_PRELOAD=$runtime "$python" -X dev -W error -m pytest -q -p no:cacheprovider -m smoke tests/python
LD_PRELOAD=$runtime "$python" -X dev -W error scripts/python/examples/sdk/bandwidth_test.py
LD_PRELOAD=$runtime "$python" -X dev -W error scripts/python/examples/cg.py
