#!/usr/bin/env bash
# How much of the assembler and of the image decoder the fuzz targets reach:
# coverage.sh SOURCE BUILD CORPUS LEAST runs the seeds of BUILD (preset coverage) and the inputs of
# CORPUS through the targets of BUILD and prints the lines covered in per cent.
# Exit code 1 if asm/ or the decoder is covered less than LEAST per cent.
set -euo pipefail
source=$1 build=$2 corpus=$3 least=$4
bin=$build/tests/fuzz
profiles=$build/profiles
decoder=("$source"/isa/image/{image_format,image_limits,image_verify}.cpp "$source"/isa/instruction/codec.cpp)
rm -rf "$profiles"
mkdir -p "$profiles"

for kind in text image; do
  folders=("$bin/seeds/$kind")
  if [[ -d $corpus/$kind ]]; then folders+=("$corpus/$kind"); fi
  find "${folders[@]}" -type f -print0 |
    LLVM_PROFILE_FILE="$profiles/$kind-%p.profraw" xargs -0r -n 2000 "$bin/fuzz_$kind" \
      >"$profiles/$kind.log" 2>&1 || { tail -n 40 "$profiles/$kind.log"; exit 1; }
done
llvm-profdata-19 merge -sparse "$profiles"/*.profraw -o "$profiles/all.profdata"

# covered NAME FILE...: prints the coverage of the files; false if it is too low.
covered() {
  local name=$1
  shift
  llvm-cov-19 report "$bin/fuzz_text" -object "$bin/fuzz_image" \
    -instr-profile "$profiles/all.profdata" -show-region-summary=0 -show-branch-summary=0 "$@"
  local percent
  percent=$(llvm-cov-19 export "$bin/fuzz_text" -object "$bin/fuzz_image" \
    -instr-profile "$profiles/all.profdata" -summary-only "$@" |
    sed -E 's/.*"totals":.*"lines":\{[^}]*"percent":([0-9]+).*/\1/')
  printf '%s: %s %% of the lines, at least %s %% wanted\n\n' "$name" "$percent" "$least"
  ((percent >= least))
}

code=0
covered 'asm/' "$source"/asm/{,*/}*.cpp || code=1
covered 'image decoder' "${decoder[@]}" || code=1
exit $code
