-- The program of all-to-all broadcast over d rotated Hamiltonian cycles or d rotated binomial
-- trees.
-- Both bring one block per step: in step j block j of z, which is sent on in later ones.
--   d-cycles: step j sends block j - 1 over the dimensions t_(j-1) + i.
--   binomial: step j = 2^s + r sends block r over the dimensions s + i.
-- Afterwards every block lies in z where its steps have brought it; y gets them in their order, by
-- the closed formulas (indices.lua) or by the indices that have moved along.
local NodeCode = require "alltoall.lib.node_code"
local blocks = require "alltoall.lib.blocks"
local cube_steps = require "alltoall.lib.cube_steps"
local mesh_steps = require "alltoall.lib.mesh_steps"
local reorder = require "alltoall.lib.reorder"
local steps = require "alltoall.lib.steps"
local uneven_steps = require "alltoall.lib.uneven_steps"

local broadcast_cycles = {}

local steps_on = {hypercube = cube_steps, mesh = mesh_steps}
local function steps_of(request) return request.uneven and uneven_steps or steps_on[request.topology] end
local kTrees = {binomial = true}

-- A stage of trees sends blocks from the first one on: `from` walks along them, `sending` is its
-- block.
local function choose(request)
  local d = request.d
  if not kTrees[request.algorithm] then return steps.choose_by_lowest_one(d) end
  return steps.choose_by_highest_one(d, function(code)
    code:op("setdpos from, 0")
    code:op("mov32 sending, first")
  end)
end

-- Rows of z that begin at the address in a register.
local function rows_of_z(request, base, words)
  return {array = reorder.named(request, "z"),
          address = function(code, i) code:op("add32 a, %s, %d", base, i * words * 4) end}
end

local function spec_of(request)
  local words = request.element.moved_words
  return {
    d = request.d, first = request.first, elements = request.m, words = words,
    steps = request.steps_run,
    source = rows_of_z(request, "sending", words), target = rows_of_z(request, "place", words),
    enter = function(code)
      code:op("add32 place, place, %d", request.m * words * 4)
      code:op("add32 sending, sending, %d", request.m * words * 4)
    end,
    choose = choose(request), order = request.order,
    size = function(code, n, b) blocks.size_of(code, request, n, b) end,
    way = function(code, register, out, t)
      code:op("mov32 %s, step", register)
      if out then code:op("sub32 %s, %s, %d", register, register, kTrees[request.algorithm] and 1 << t or 1) end
      if not kTrees[request.algorithm] then code:encode(register, "scratch") end
    end,
  }
end

-- The names of a phase of a program: arrays mine, z and y; registers from 6 on.
function broadcast_cycles.declare(code, request)
  reorder.declare(code, request)
  steps_of(request).declare(code, spec_of(request))
  code:registers(6, {"own", "scratch", "place", "sending", "first", "to"})
end

-- The phase itself, from `mine` to `y`; code continues after it.
function broadcast_cycles.phase(code, request)
  local spec, exchange = spec_of(request), steps_of(request)
  reorder.begin(code, request)
  exchange.prepare(code, spec)
  if request.uneven then code:own_block("own", "scratch", request, request.order) end
  code:op("setd into, %s", reorder.named(request, "z"))
  code:op("getdbase place, into")
  code:op("sub32 first, place, %d", request.m * request.element.moved_words * 4)
  code:op("mov32 sending, first")
  code:op("setd from, save(%s[0, :])", reorder.named(request, "z"))
  steps.start(code, request)
  exchange.tasks(code, spec)
  if request.reorder then
    reorder.by_offsets(code, request, kTrees[request.algorithm] and "binary" or "gray")
  end
end

-- Its text for a program called `node`; `parameters` are those of its header.
function broadcast_cycles.text(request, parameters)
  local code = NodeCode.new()
  code:head(".program node(%s)", parameters)
  broadcast_cycles.declare(code, request)
  code:line("task main:")
  broadcast_cycles.phase(code, request)
  code:op("halt")
  return code:text()
end

return broadcast_cycles
