-- Exchange steps over all dimensions of a cube (steps.lua) whose nodes lie on a mesh (mesh.lua).
--
-- Over a dimension PEs are mirrored in the middle of a block of an axis. Towards the middle a PE
-- sends its own message, then relays those of the r PEs further out; from the middle it takes the
-- first message, which is its own, and relays r of them outwards. The order fits: the one next to
-- the middle sends first, and its image takes first.
--
--   0   1   2   3 | 4   5   6   7      1 to 6 relay the message of 0 to 7, after that of 1 to 6
--
-- Dimensions along x go one after the other, as do those along y; one of each goes at the same
-- time. All PEs do that in the same order, so words of one dimension never overtake those of
-- another.
-- The words that leave in each direction are noted in `sent`, the dimensions of a step in
-- `crossed`; one that is crossed twice in a step ends the run. Descriptors: those of steps.lua, and
-- `passing`.
local mesh = require "alltoall.lib.mesh"
local steps = require "alltoall.lib.steps"
local format = string.format

local mesh_steps = {}

local kDirections = 4

function mesh_steps.declare(code, spec)
  steps.declare(code, spec, kDirections)
  code:line(".i32 $crossed[%d]", spec.d)
  code:declare("dsr", "passing")
  for _, axis in ipairs{"x", "y"} do code:line(".microthread out_%s, in_%s", axis, axis) end
end

-- No preparation is needed before the first step.
function mesh_steps.prepare() end

local function start(code, spec, exchange)
  local i, k, axis = exchange.i, exchange.k, exchange.axis
  code:op("mov32 a, $crossed[%d]", k)
  code:op("assert a == 0")
  code:op("mov32 $crossed[%d], 1", k)
  steps.set(code, spec, "into", spec.target, i, k)
  code:op("mov32 into, fabin(fro%d) async in_%s", k, axis)
  steps.set(code, spec, "from", spec.source, i, k)
  code:op("mov32 fabout(to%d), from async out_%s", k, axis)
end

-- When the thread is through with the PE's own words, it passes on those of the PEs further out.
local function relay(code, exchange, thread, source, target, label)
  local k = exchange.k
  code:op("wait %s_%s", thread, exchange.axis)
  code:op("mov32 a, relays%d", k)
  code:op("beq a, 0, $%s", label)
  code:op("mul32 a, a, %d", exchange.words)
  code:op("setd passing, fabin(%s%d, length=1)", source, k)
  code:op("setdlen passing, a")
  code:op("mov32 fabout(%s%d), passing async %s_%s", target, k, thread, exchange.axis)
  code:line("$%s:", label)
end

-- Words that leave in the two directions: the own ones to the inner side, those that are passed on.
local function account(code, exchange)
  local k = exchange.k
  code:op("mov32 b, side%d", k)
  code:op("mov32 a, relays%d", k)
  code:op("mul32 a, a, %d", exchange.words)
  code:op("mov32 row, $sent[b]")
  code:op("add32 row, row, a")
  code:op("add32 row, row, %d", exchange.words)
  code:op("mov32 $sent[b], row")
  code:op("xor32 b, b, 1")
  code:op("mov32 row, $sent[b]")
  code:op("add32 row, row, a")
  code:op("mov32 $sent[b], row")
end

-- The exchanges of a kind of step: pairs of one along x and one along y, of which one may be
-- missing.
local function pairs_of(spec, t)
  local lists, turns = {x = {}, y = {}}, {}
  for i = 0, steps.cycles(spec) - 1 do
    local k = (t + i) % spec.d
    local axis = mesh.axis(k, spec.d)
    table.insert(lists[axis], {i = i, k = k, axis = axis, words = steps.share(spec, i)})
  end
  for _, axis in ipairs{"x", "y"} do
    table.sort(lists[axis], function(one, other) return one.k < other.k end)
    for turn, exchange in ipairs(lists[axis]) do
      turns[turn] = turns[turn] or {}
      table.insert(turns[turn], exchange)
    end
  end
  return turns
end

local function exchange_pair(code, spec, t, pair)
  for _, exchange in ipairs(pair) do start(code, spec, exchange) end
  for _, exchange in ipairs(pair) do
    local label = format("passed%d_%d", t, exchange.k)
    relay(code, exchange, "out", "far", "to", label .. "in")
    relay(code, exchange, "in", "fro", "back", label .. "out")
  end
  for _, exchange in ipairs(pair) do
    code:op("wait out_%s", exchange.axis)
    code:op("wait in_%s", exchange.axis)
    account(code, exchange)
  end
end

function mesh_steps.tasks(code, spec)
  steps.tasks(code, spec, function(t)
    code:op("mov32 $crossed, 0")
    for _, pair in ipairs(pairs_of(spec, t)) do exchange_pair(code, spec, t, pair) end
  end)
end

return mesh_steps
