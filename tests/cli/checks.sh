#!/usr/bin/env bash
# checks.sh WSEVM: what `check` says, to people and as data, and what `lsp` does without an editor.
# Prints each case that fails.
wsevm=$1
programs=$PWD/programs
failing=$PWD/tests/golden/failing
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"

expect 0 'check as JSON' "$wsevm" check "$programs/reduce-chain/reduce-chain.wsa" --format=json
contains out '"diagnostics": []'
empty err
printf '.grid 1, 1\n.program p\n  task main:\n    hault\n.place p at (0, 0)\n' >typo.wsa
expect 2 'errors as JSON' "$wsevm" check typo.wsa --format=json
contains out '"code": "E012"'
contains out '"text": "halt"'
empty err
expect 2 'errors as SARIF' "$wsevm" check typo.wsa --format=sarif
contains out '"ruleId": "E012"'
contains out '"startColumn": 5'
contains out '"insertedContent"'
expect 2 'a missing file as JSON' "$wsevm" check nothing.wsa --format=json
contains out '"message": "cannot read nothing.wsa'
expect 2 'another format' "$wsevm" check typo.wsa --format=xml
wrong=$(dirname "$failing")/wrong/loop_costs.wsa
expect 0 'warnings' "$wsevm" check "$wrong"
contains err 'warning[E229]'
expect 0 'no warnings' "$wsevm" check "$wrong" -W all=off
empty err
expect 2 'all warnings are errors' "$wsevm" check "$wrong" -W all=error
contains err 'error[E230]'
expect 2 'all but one' "$wsevm" check "$wrong" -W all=error -W E230=off
lacks err 'E230'
scripts=$(dirname "$programs")/scripts
expect 0 'check of a script' "$wsevm" check "$scripts/examples/row.lua" P=8
contains out 'row.lua: no errors'
expect 2 'check of a script that has no such run' "$wsevm" check "$scripts/examples/row.lua" P=8 --program=9
printf 'require("wse").run{text = ".grid 1, 1\\n.program p\\n  task main:\\n    hault\\n.place p at (0, 0)\\n"}\n' >typo.lua
expect 2 'errors of the program of a script' "$wsevm" check typo.lua --format=json
contains out '"code": "E012"'
contains out '"file": "<typo.lua>"'
tutorial=$(dirname "$programs")/asm/tutorial
expect 0 'path of a colour' "$wsevm" check "$tutorial/5-message.wsa" --path=red@0,0
contains out '     1  PE(1, 0) to PE(2, 0): west -> east'
contains out 'received by 1 PE, the farthest after 3 links'
contains out '    S>>*'
lacks out 'advanced'
expect 0 'path of a colour of a script' "$wsevm" check "$scripts/examples/row.lua" P=4 --path=red@0,0
contains out '     1  PE(1, 0) to PE(2, 0): west -> east'
printf 'require("wse").run{text = [[%s]]}\n' "$(<"$wrong")" >slow.lua
expect 2 'warnings of a script that are errors' "$wsevm" check slow.lua -W E229=error -W E230=off
contains err 'error[E229]'
lacks err 'E230'
expect 2 'path of another colour' "$wsevm" check "$tutorial/5-message.wsa" --path=blue@0,0
contains err "--path: the program has no colour 'blue'"
expect 2 'path from outside' "$wsevm" check "$tutorial/5-message.wsa" --path=red@4,0
contains err 'PE(4, 0) is not in the grid of 4 x 1'
expect 2 'path without a place' "$wsevm" check "$tutorial/5-message.wsa" --path=red
contains err "'red' has not the form COLOUR@X,Y"
printf '.grid 3, 1\n.colour c\n.program p\n  task main:\n    halt\n.place p at (0..2, 0)\n' >turns.wsa
printf '.route c at (0, 0): [ramp -> east]\n.route c at (1, 0): [west -> east] [west -> ramp] [ramp -> ramp]\n' >>turns.wsa
printf '.route c at (2, 0): west -> ramp\n' >>turns.wsa
expect 0 'path by switch position' "$wsevm" check turns.wsa --path=c@0,0 --format=json
contains out '"diagnostics"'
contains err 'PE(1, 0): [west -> ramp], position 1 of 3'
contains err 'each switch advanced 2 times'
contains err '[ramp -> ramp], position 2 of 3: a wavelet from west waits here'
contains err '    S!.'
expect 0 'path that ends' "$wsevm" check turns.wsa --path=c@1,0
contains out 'a wavelet from ramp waits here'
expect 1 'an editor that goes' bash -c '"$0" lsp </dev/null' "$wsevm"
expect 2 'no messages' bash -c 'printf "hello\r\n\r\n" | "$0" lsp' "$wsevm"
contains err "a line of a head has no ':'"

finish
