#!/usr/bin/env bash
# stuck.sh WSEVM: scripts that never come out of one instruction of Lua. After 20 s of processor time
# the process ends as one with bad input, its record says why, and what was written stays.
wsevm=$1
# shellcheck source=tests/support/cases.sh
source "$(dirname "$0")/../support/cases.sh"

cat >stuck.lua <<'LUA'
local t = setmetatable({}, {}) getmetatable(t).__call = t
require "wse".write_text("before.txt", "written")
print "printed"
t()
LUA
expect 2 stuck "$wsevm" run stuck.lua --json=r.json
contains err 'stuck.lua: one instruction of Lua has taken 20 s; the script is ended'
contains out printed
contains before.txt written
contains r.json '"status": "error"'
contains r.json 'one instruction of Lua has taken'
expect 2 'stuck in gen' "$wsevm" gen stuck.lua -o never.wsa
[[ ! -e never.wsa ]] || wrong 'gen wrote a file'

cat >point.lua <<'LUA'
local wse = require "wse"
wse.sweep{over = {P = {1, 2}}, csv = "rows.csv", run = function(p)
  local t = setmetatable({}, {})
  if p.P == 2 then getmetatable(t).__call = t t() end
  return {cycles = 1}
end}
LUA
expect 2 'a stuck point' "$wsevm" run point.lua --threads=2 --oversubscribe
contains err '(point P=2)'
contains rows.csv '1,1'

printf 'local t = setmetatable({}, {}) getmetatable(t).__call = t t()\n' >machine.lua
printf '.grid 1, 1\n' >one.wsa
expect 2 'a stuck machine' "$wsevm" run one.wsa --machine=machine.lua
contains err 'one instruction of Lua'
ls -A | grep -q '\.part$' && wrong "temporaries are left: $(ls -A)"
finish
