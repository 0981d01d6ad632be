-- Random programs of mach on the virtual wafer: every word of every output as the interpreter has it,
-- fused and not, on three machines; count=N from seed=N on. The same program gives the same text.
local programs = require "support.mach_programs"
local wse = require "wse"

local count, seed = wse.argument("count", 30), wse.argument("seed", 1)
wse.no_more_arguments()
local machines, calls, sections = {"wse2", "wse3", "model"}, 0, 0
for k = seed, seed + count - 1 do
  local p = programs.build(k, k % 2 == 0, nil, machines[k % 3 + 1])
  local fine, result = pcall(p.run, p, {wafer = true})
  assert(fine, ("seed %d: %s"):format(k, tostring(result)))
  assert(result.user.differing_words == 0, ("seed %d: %d words differ, %s"):format(
         k, result.user.differing_words, result.user.first_difference))
  calls, sections = calls + result.user.rpcs, sections + result.user.sections
end
print(("%d programs, %d calls, %d sections: no word differs"):format(count, calls, sections))
