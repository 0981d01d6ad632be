#!/usr/bin/env bash
# tree.sh CMAKE BUILD: installs the build into a scratch folder, moves what came out, and uses it
# from an empty folder. Prints each thing that is wrong. Must never write outside the scratch folder
# and the build's own list of what was installed.
set -uo pipefail
cmake=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
wrong() {
  printf '%s\n' "$*"
  failures=$((failures + 1))
}

"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
DESTDIR=$scratch/stage "$cmake" --install "$build" --prefix /usr >"$scratch/log" || { cat "$scratch/log"; exit 1; }
diff -r "$scratch/first" "$scratch/stage/usr" || wrong 'DESTDIR changes what is installed'
[[ $(ls "$scratch/stage") == usr ]] || wrong "files outside the prefix: $(ls "$scratch/stage")"
mv "$scratch/first" "$scratch/moved"
rm -rf "$scratch/stage"
prefix=$scratch/moved
wsevm=$prefix/bin/wsevm
unset WSEVM_DATA

# Exactly these files, the programs, the scripts, and modules: the compiler of --engine=jit, and what speaks to other
# ranks, if they are there.
module=$(cd "$prefix" && find . -name wsevm-jit.so)
version=$("$wsevm" --version | sed -n '1s/^wsevm \([0-9.]*\).*/\1/p')
# Where libraries go is the system's choice: lib/ALL stands for it.
library=$(cd "$prefix" && find lib* -name libwsevm.so.0 -printf '%h\n')
diff <(cd "$prefix" && find . -type f ! -path './share/wsevm/programs/*' ! -path './share/wsevm/scripts/*' ! -name wsevm-jit.so ! -name wsevm-mpi.so | sed "s,^\./$library/,./lib/," | LC_ALL=C sort) - <<FILES ||
./bin/wsevm
./include/wsevm.h
./lib/cmake/wsevm/wsevm-config-release.cmake
./lib/cmake/wsevm/wsevm-config-version.cmake
./lib/cmake/wsevm/wsevm-config.cmake
./lib/libwsevm.so.$version
./lib/pkgconfig/wsevm.pc
./share/bash-completion/completions/wsevm
./share/doc/wsevm/CHANGELOG.md
./share/doc/wsevm/LICENSE
./share/doc/wsevm/README.md
./share/doc/wsevm/asm/LANGUAGE.md
./share/doc/wsevm/asm/TUTORIAL.md
./share/doc/wsevm/asm/library/README.md
./share/doc/wsevm/asm/library/blas.wsa
./share/doc/wsevm/asm/library/fabric.wsa
./share/doc/wsevm/asm/library/math.wsa
./share/doc/wsevm/isa/ISA.md
./share/doc/wsevm/isa/TIMING.md
./share/fish/vendor_completions.d/wsevm.fish
./share/man/man1/wsevm.1
./share/zsh/site-functions/_wsevm
FILES
  wrong 'the installed files differ'
diff <(find programs -name '*.wsa' -o -name '*.npy' -o -name README.md | LC_ALL=C sort) \
  <(cd "$prefix/share/wsevm" && find programs -type f | LC_ALL=C sort) || wrong 'the programs differ'
diff <(find scripts -name '*.lua' -o -name '*.wsa' -o -name '*.svg' -o -name '*.csv' -o -name '*.md' ! -path '*/host/*' \
  ! -path 'scripts/python/*' -o -path 'scripts/editors/*' -type f -o -path 'scripts/python/examples/*' -type f \
  -o -path 'scripts/python/notebooks/*' -type f | LC_ALL=C sort) \
  <(cd "$prefix/share/wsevm" && find scripts -type f | LC_ALL=C sort) || wrong 'the scripts differ'
if grep -rqF "$PWD" "$prefix" --include=wsevm.1 --include=wsevm --include=wsevm.fish --include=_wsevm \
  --exclude-dir=bin; then
  wrong 'the manual or a completion names a folder of the build'
fi
if strings -d "$wsevm" | grep -F "$PWD"; then wrong 'the executable has paths of the build in its data'; fi
if readelf -d "$wsevm" | grep -E 'R(UN)?PATH'; then wrong 'the executable has a run path'; fi

# What is installed is what the executable prints.
same() { diff <("${@:2}") "$prefix/share/$1" >/dev/null || wrong "$1 is not what '${*:2}' prints"; }
same man/man1/wsevm.1 "$wsevm" man
same bash-completion/completions/wsevm "$wsevm" completion bash
same fish/vendor_completions.d/wsevm.fish "$wsevm" completion fish
same zsh/site-functions/_wsevm "$wsevm" completion zsh
if command -v groff >/dev/null; then
  complaints=$(groff -man -Tutf8 -ww "$prefix/share/man/man1/wsevm.1" 2>&1 >/dev/null)
  [[ -z $complaints ]] || wrong "groff: $complaints"
fi
if command -v zsh >/dev/null; then zsh -n "$prefix/share/zsh/site-functions/_wsevm" || wrong 'zsh -n'; fi
if command -v fish >/dev/null; then
  fish -n "$prefix/share/fish/vendor_completions.d/wsevm.fish" || wrong 'fish -n'
fi

# From an empty folder.
mkdir "$scratch/empty"
cd "$scratch/empty" || exit 1
# expect CODE TEXT COMMAND...: the exit code, and TEXT in what it prints to stdout or stderr.
expect() {
  local output code
  output=$("${@:3}" 2>&1 </dev/null)
  code=$?
  [[ $code -eq $1 ]] || wrong "exit code $code, expected $1: ${*:3}"$'\n'"$output"
  [[ $output == *"$2"* ]] || wrong "'$2' is missing in the output of ${*:3}:"$'\n'"$output"
}
expect 0 'wsevm ' "$wsevm" --version
expect 0 'halted: ' "$wsevm" run programs/hello/hello.wsa --expect
expect 0 'halted: ' "$wsevm" run programs/heat/heat.wsa --in x=programs/heat/field.npy
if [[ -n $module ]]; then
  expect 0 'regions compiled' "$wsevm" run programs/hello/hello.wsa --engine=jit --jit-threshold=0 --stats
  expect 2 '--engine=interp needs none' env WSEVM_JIT=/nowhere.so "$wsevm" run programs/hello/hello.wsa --engine=jit
else
  expect 2 '--engine=interp needs none' "$wsevm" run programs/hello/hello.wsa --engine=jit
fi
expect 0 ' 4 PEs: ' "$wsevm" run scripts/examples/row.lua P=4
mkdir "$scratch/pictures"
expect 0 '32640' "$wsevm" run scripts/examples/reduce.lua out=../pictures
expect 0 '4 PEs on wse2' "$wsevm" run scripts/collectives/reduce.lua P=4
expect 2 "cannot read programs/hallo.wsa: it is neither in the current folder nor in $prefix/share/wsevm" \
  "$wsevm" run programs/hallo.wsa
expect 2 'no_such.npy: it is neither' "$wsevm" run programs/heat/heat.wsa --in x=no_such.npy
expect 2 'programs/y.npy' "$wsevm" run programs/message/message.wsa --out y=programs/y.npy
[[ -z $(ls) ]] || wrong "a run left files: $(ls)"
[[ ! -e $prefix/share/wsevm/programs/y.npy ]] || wrong 'an output went into the data folder'
ln -s "$wsevm" link
expect 0 'halted: ' ./link run programs/hello/hello.wsa

# The current folder goes before the data folder, the environment before the place of the executable.
mkdir -p programs/hello other/parts
printf '.grid 1, 1\n.program p\n  task main:\n    print "mine"\n.place p at (0, 0)\n' >programs/hello/hello.wsa
expect 0 'mine' "$wsevm" run programs/hello/hello.wsa
printf '.include "parts/grid.wsa"\n.program p\n  task main:\n    print "included"\n.place p at (0, 0)\n' >other/a.wsa
printf '.grid 1, 1\n' >other/parts/grid.wsa
expect 0 'included' env WSEVM_DATA="$scratch/empty/other" "$wsevm" run a.wsa
expect 0 'a.wsa: no errors' env WSEVM_DATA="$scratch/empty/other" "$wsevm" check a.wsa
expect 2 "nor in $scratch/empty/other" env WSEVM_DATA="$scratch/empty/other" "$wsevm" run programs/heat/heat.wsa
expect 0 '' env WSEVM_DATA="$scratch/empty/other" "$wsevm" asm a.wsa -o other/a.wsb
expect 0 '.grid 1, 1' env WSEVM_DATA="$scratch/empty/other" "$wsevm" dis a.wsb

[[ $failures -eq 0 ]] || { echo "$failures failures"; exit 1; }
