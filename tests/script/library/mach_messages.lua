-- Messages of all patterns arrive whole; a hop and a word cost what they may.
local mach = require "support.mach"
local message = require "mach.message"

mach.messages(1, 6)
for _, length in ipairs{1, 8, 31, 0} do
  local result = message.run{width = 16, height = 16, pattern = "transpose", length = length, seed = 1,
                             machine = "wse2"}
  assert(result.cycles_per_hop > 20 and result.cycles_per_hop <= 45, result.cycles_per_hop)
  assert(result.cycles_per_word >= 1 and result.cycles_per_word <= 1.1, result.cycles_per_word)
end
-- grids of one row, one column, two PEs
for _, size in ipairs{{9, 1}, {1, 9}, {2, 1}, {3, 5}} do
  local result = message.run{width = size[1], height = size[2], pattern = "random", length = 4,
                             seed = 7, machine = "model", costs = false}
  assert(result.delivered == result.messages and result.messages > 0 and result.wrong == 0)
end
