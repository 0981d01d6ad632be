-- The random programs of mach_wafer.lua, 2000 of them: no word differs on wse2, wse3 and model.
local programs = require "support.mach_programs"

local machines, counts = {"wse2", "wse3", "model"}, {}
for k = 1000, 2999 do
  local p = programs.build(k, k % 2 == 0, counts, machines[k % 3 + 1])
  local fine, result = pcall(p.run, p, {wafer = true})
  assert(fine, ("seed %d: %s"):format(k, tostring(result)))
  assert(result.user.differing_words == 0, ("seed %d: %d words differ, %s"):format(
         k, result.user.differing_words, result.user.first_difference))
end
for _, what in ipairs{"rank 3", "rank 4", "rank 5", "rank 6", "f16", "i32", "moved", "own_length", "message",
                      "take", "put", "random", "while", "if", "break", "for_each", "loop", "dot",
                      "drain", "chain", "tree", "clipped", "empty", "cells", "cells sum"} do
  assert(counts[what] >= 200, what)
end
print("2000 programs: no word differs")
