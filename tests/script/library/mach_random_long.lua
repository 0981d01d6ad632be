-- The random programs of mach_random.lua, 2000 of them: memory, fusion, graph texts.
local checks = require "support.mach_checks"
local programs = require "support.mach_programs"

local pairs_sharing = 0
for k = 1000, 2999 do
  local plain, joined = programs.build(k, false), programs.build(k, true)
  local outcome, other = checks.run(plain), checks.run(joined)
  pairs_sharing = pairs_sharing + checks.no_overlap(plain) + checks.no_overlap(joined)
  assert(checks.bits(plain, outcome) == checks.bits(joined, other), "seed " .. k)
end
assert(pairs_sharing > 2000)
print("2000 programs; " .. pairs_sharing .. " pairs of values share memory")
