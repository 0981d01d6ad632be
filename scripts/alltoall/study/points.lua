-- A point of a study that has published numbers beside it, and its run.
local broadcast = require "alltoall.broadcast"
local reduce = require "alltoall.reduce"
local study = require "alltoall.study.study"

local points = {}

-- Shifts over one cycle are those of single channels.
points.machine_of = {["one-cycle"] = "cm200-news"}

local kSteps = 8  -- of more nodes than `whole`

-- Steps that are run: all of them, or the first ones where that would take long.
local function steps_of(algorithm, nodes, whole)
  if nodes <= whole or algorithm == "send-and-spread" or algorithm == "reduce-and-spread" then
    return nil
  end
  return kSteps
end

-- Runs m elements of 64 bits per node. A reduction has words of 32 bits, two for an element.
function points.run(operation, algorithm, m, nodes, whole)
  local library = operation == "reduction" and reduce or broadcast
  local result, _, request = library.run{
    algorithm = algorithm, d = study.dimensions(nodes),
    m = operation == "reduction" and 2 * m or m,
    type = operation == "reduction" and "f32" or "f64-as-pairs",
    machine = points.machine_of[algorithm] or "cm200", steps = steps_of(algorithm, nodes, whole)}
  assert(result.max_abs_error == 0, "a run is not exact")
  return result, request
end

-- Cycles of a run in ms at its clock; nothing takes none.
function points.ms(result, cycles)
  return (cycles or 0) * result.milliseconds / math.max(result.cycles, 1)
end

return points
