#!/usr/bin/env bash
# format.sh [--in-place]: C++ sources that git does not ignore must look as .clang-format says.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
mode=(--dry-run -Werror)
[[ ${1:-} != --in-place ]] || mode=(-i)
git ls-files -z --cached --others --exclude-standard -- '*.h' '*.cpp' | xargs -0r clang-format-19 "${mode[@]}"
