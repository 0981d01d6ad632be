#!/usr/bin/env bash
# run.sh PYTHON BUILD MARK: the tests of the Python package with MARK, warnings being errors.
set -euo pipefail
python=$1 build=$2 mark=$3
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export WSEVM_LIBRARY=$build/libwsevm.so.0 PYTHONDONTWRITEBYTECODE=1 WSEVM_DATA=$PWD
exec "$python" -X dev -W error -m pytest -q -p no:cacheprovider -m "$mark" tests/python
