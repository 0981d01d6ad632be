#!/usr/bin/env bash
# path.sh WSEVM: wsevm path and run --path, what they tell and what they refuse. Prints each case that fails.
wsevm=$1
message=$PWD/programs/message/message.wsa
circle=$PWD/tests/golden/failing/circle_through_a_microthread.wsa
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"

path=("$wsevm" path "$message" P=9 --machine=model)
expect 0 path "${path[@]}"
contains out 'path to PE(8, 0) at cycle 29: 29 cycles'
contains out '16  55.2 %  issue'
contains out '8  27.6 %  link'
contains out '8 times:'
contains out 'link `red` from PE(0, 0) to PE(1, 0)'
contains out 'message.wsa:16 |     fmovs y, fabin(red)'
expect 0 'path to a file' "${path[@]}" -o p.json
contains out 'halted: 29 cycles'
contains p.json '"cycles": 29,'
contains p.json '"issue": 16,'
contains p.json '"times": 8,'
expect 0 'path of a run' "$wsevm" run "$message" P=9 --machine=model --path=q.json --threads=2 --transport=wafer
cmp p.json q.json || wrong 'run --path is wsevm path'
expect 0 'the run ends as without a path' "$wsevm" run "$message" P=9 --machine=model --json=with.json --path=-
expect 0 'a run without a path' "$wsevm" run "$message" P=9 --machine=model --json=without.json --transport=stepper
for record in with without; do
  grep -vE 'wall_seconds|transport|pe_cycles_per_second' $record.json >$record.txt
done
cmp with.txt without.txt || wrong 'a path changes the record'
expect 0 'path to a mark' "${path[@]}" --to=end
contains out 'at cycle 29'
expect 0 'path to a PE' "${path[@]}" --to=4,0@20
contains out 'path to PE(4, 0) at cycle 20'
expect 2 'an unknown mark' "${path[@]}" --to=middle
contains err 'nor a mark of the program: begin, end'
expect 2 'a PE off the grid' "${path[@]}" --to=9,0
contains err '9 x 1 PEs'
expect 2 'half a PE' "${path[@]}" --to=3,
contains err 'X,Y@CYCLE'
expect 2 'a PE where nothing happens' "${path[@]}" --to=4,0@1
contains err 'nothing happened'
expect 0 'a path of a script' "$wsevm" path scripts/examples/row.lua P=8 --machine=model -o script.json
expect 0 'its program' "$wsevm" gen scripts/examples/row.lua P=8 --machine=model --program=3 -o row.wsa
expect 0 'the path of that' "$wsevm" path row.wsa P=8 --machine=model -o program.json
diff <(grep -v '"line"' script.json) <(grep -v '"line"' program.json) || wrong 'a script has another path than its program'
contains script.json '"line": "scripts/examples/row.lua(26):11"'
contains script.json '"distance": 7'
expect 0 'the first run of a script' "$wsevm" run scripts/examples/row.lua --machine=model --path=first.txt --run=1
contains first.txt 'path to PE(1, 0)'
contains out 'cycles, y ='
expect 2 'a mark that the last run has not' "$wsevm" path scripts/examples/row.lua --to=middle
contains err 'nor a mark of the program'
expect 2 'no such run' "$wsevm" path scripts/examples/row.lua --run=99
contains err 'not 99'
expect 2 'of scripts alone' "$wsevm" path "$message" --run=1
contains err 'for scripts'
printf 'local wse = require "wse"\nlocal s = wse.start{file = "programs/hello/hello.wsa"}\ns:run()\n' >session.lua
expect 2 'a path of a session' "$wsevm" path session.lua
contains err 'not of a launch of a session'
expect 2 'a path that continues' "$wsevm" run "$message" --path=p --checkpoint=c --at=3
contains err 'whole run'
expect 2 'a target without a path' "$wsevm" run "$message" --path-to=end
contains err 'needs --path'
expect 1 'a path into a deadlock' "$wsevm" path "$circle"
finish
