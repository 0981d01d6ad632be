-- A point of a study that has published numbers beside it, and its run.
local broadcast = require "alltoall.broadcast"
local personalised = require "alltoall.personalised"
local reduce = require "alltoall.reduce"
local study = require "support.study"

local points = {}

-- Shifts over one cycle are those of single channels.
points.machine_of = {["one-cycle"] = "cm200-news"}

local kSteps = 8  -- of more nodes than `whole`

-- Algorithms whose steps are alike, so that the first ones say how long all take.
local kAlike = {["d-cycles"] = true, ["one-cycle"] = true}

local libraries = {broadcast = broadcast, reduction = reduce, personalised = personalised}

-- Runs m elements of 64 bits per node. A reduction has words of 32 bits, two for an element.
function points.run(operation, algorithm, m, nodes, whole)
  local result = libraries[operation].run{
    algorithm = algorithm, d = study.dimensions(nodes),
    m = operation == "reduction" and 2 * m or m,
    type = operation == "reduction" and "f32" or "f64-as-pairs",
    machine = points.machine_of[algorithm] or "cm200",
    steps = nodes > whole and kAlike[algorithm] and kSteps or nil}
  assert(result.max_abs_error == 0, "a run is not exact")
  return result
end

-- Cycles of a run in ms at its clock; nothing takes none.
function points.ms(result, cycles)
  return (cycles or 0) * result.milliseconds / math.max(result.cycles, 1)
end

-- The rate in units of 2^20 bytes per second at which each of so many nodes gets m elements of 64 bits of every other.
function points.rate(m, nodes, ms) return (nodes - 1) * m * 8 / (1 << 20) / (ms / 1000) end

return points
