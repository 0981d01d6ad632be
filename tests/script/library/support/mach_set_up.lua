-- The set-up of additions on the workers: as runs have it, and as the sum of its instructions.
local control = require "mach.control"
local wse = require "wse"

local set_up = {}

-- Returns the cycles of an RPC of nz additions beyond those in which they issue, on a field of size {width,
-- height}; `masked`: some workers take no part. Compares runs of 96 and 128 RPCs: with fewer, the turn from one
-- response PE to the other still hides in the buffers of one run and not in those of the other.
function set_up.measured(machine, size, nz, masked)
  local function total(rpcs)
    local p, steps = control.program({width = size[1], height = size[2], response = 2, nz = nz, rpcs = rpcs,
                                      sections = 1}, masked)
    return p:run(steps, {machine = machine, check = false}).cycles
  end
  return (total(128) - total(96)) / 32 - control.issue_cycles(nz, wse.machine(machine))
end

-- Adds up the cycles of the kernel's instructions: the start of the task, two vector instructions, of which the
-- first takes in the five arguments, three bases, a length with its mask.
function set_up.instructions(machine)
  local m = wse.machine(machine)
  local vectors = 2 * (m.simple_cycles + m.vector_start_cycles + m.vector_drain_cycles) + 5
  local bases, length = 3 * (m.load_cycles + m.simple_cycles), 3 * m.load_cycles + m.simple_cycles
  return m.task_start_cycles + vectors + bases + length
end

return set_up
