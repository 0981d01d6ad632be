-- Messages of all patterns arrive whole; a hop and a word cost what they may.
local mach = require "support.mach"
local message = require "mach.message"
local one_message = require("mach.lib.message").one
local wse = require "wse"

mach.messages(1, 6)
for _, length in ipairs{1, 8, 31, 0} do
  local result = message.run{width = 16, height = 16, pattern = "transpose", length = length, seed = 1,
                             machine = "wse2"}
  assert(result.cycles_per_hop >= 20 and result.cycles_per_hop <= 21, result.cycles_per_hop)  -- 20, and one turn
  assert(result.cycles_per_word >= 1 and result.cycles_per_word <= 1.1, result.cycles_per_word)
end
-- A hop on a row: from router to router, the task that takes the header and claims the output, the header's issue, which
-- waits until the task has ended.
local before = require "machines.wse2-before"
for machine, hop in pairs{wse2 = 20, wse3 = 30, [before] = 33} do
  local m = wse.machine(machine)
  local function cycles(hops) return one_message({width = 34, height = 1, machine = machine, length = 8}, hops, 0, 8) end
  assert((cycles(20) - cycles(4)) / 16 == hop, hop)
  assert(hop == 2 * m.ramp_latency_cycles + m.hop_latency_cycles + m.task_start_cycles + 9 * m.simple_cycles
                + 2 * m.branch_cycles + m.branch_taken_cycles + 1)
end
-- grids of one row, one column, two PEs
for _, size in ipairs{{9, 1}, {1, 9}, {2, 1}, {3, 5}} do
  local result = message.run{width = size[1], height = size[2], pattern = "random", length = 4,
                             seed = 7, machine = "model", costs = false}
  assert(result.delivered == result.messages and result.messages > 0 and result.wrong == 0)
end
