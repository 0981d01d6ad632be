#!/usr/bin/env bash
# driver.sh FIDELITY: what fidelity says of wrong arguments, and machine files in the place of profiles.
fidelity=$(realpath "$1")
source "$(dirname "${BASH_SOURCE[0]}")/../support/cases.sh"

expect 2 'no such table' "$fidelity" columns
contains err 'usage: fidelity [rows | products | predictions]'
expect 2 'two tables' "$fidelity" rows products
contains err 'usage'
expect 2 'no such machine' "$fidelity" rows --wse4=slow.lua
contains err 'usage'
expect 2 'no such file' "$fidelity" rows --wse2=slow.lua
contains err 'slow.lua: no such file'
echo 'return {divide = "long"}' >slow.lua
expect 2 'no machine' "$fidelity" rows --wse2=slow.lua
contains err 'divide_cycles: a whole number'
empty out

echo 'return {base = "wse2", divide = 77}' >slow.lua
expect 0 'a slow division' "$fidelity" rows --wse2=slow.lua
contains out '| f32 division | wse2 | 50 | 77 |'
contains out '| sum of 8 f16 with its loads | wse3 | 11 |'
finish
