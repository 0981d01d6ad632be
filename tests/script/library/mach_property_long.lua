-- 500 random programs of mach with all constructs, clipped and empty slices, chains and trees of sums and arrays of
-- cells among them: every word of every output as the interpreter has it, fused and not, on three machines.
local programs = require "support.mach_programs"

local machines, counts, calls = {"wse2", "wse3", "model"}, {}, 0
for k = 20000, 20499 do
  local p = programs.build(k, k % 2 == 0, counts, machines[k // 2 % 3 + 1], k % 5 == 0 and "message" or nil)
  local fine, result = pcall(p.run, p, {wafer = true})
  assert(fine, ("seed %d: %s"):format(k, tostring(result)))
  assert(result.user.differing_words == 0, ("seed %d: %d words differ, %s"):format(
         k, result.user.differing_words, result.user.first_difference))
  calls = calls + result.user.rpcs
end
for _, what in ipairs{"drain", "chain", "tree", "clipped", "empty", "cells", "cells sum", "message", "take", "put"} do
  assert(counts[what] >= 50, what .. ": " .. counts[what])
end
print("500 programs, " .. calls .. " calls: no word differs")
