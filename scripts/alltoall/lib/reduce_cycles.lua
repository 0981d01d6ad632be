-- The program of all-to-all reduction over d rotated Hamiltonian cycles, and of reduce-and-spread.
-- What a node sends stands in its departure lounge, one half of `lounge`; what arrives is combined with
-- the node's own elements into the arrival lounge, the other half, which departs in the next step.
--   d-cycles: a message is a block. In step u = 0..2^d - 2 cycle i combines what arrives with block
--     own ~ sh^i(G(2^d - 2 - u)) (indices.lua); the last one is the node's own.
--   reduce-and-spread: a message is the whole vector. In stage u cycle i crosses dimension u + i; after
--     d stages every node has all sums, of which it keeps its own block.
local Code = require "alltoall.lib.code"
local mesh_steps = require "alltoall.lib.mesh_steps"
local steps = require "alltoall.lib.steps"

local reduce_cycles = {}

local steps_on = {hypercube = steps, mesh = mesh_steps}

local function is_spread(request) return request.algorithm == "reduce-and-spread" end

-- b = the address of element i of the block whose place differs from the own one by sh^i(G(...)), the
-- code in `way`.
local function block_address(code, request, i)
  code:rotate("b", "way", i, "scratch", request.d)
  if request.order == "gray" then code:decode("b", "scratch", request.d) end
  code:op("xor32 b, b, own")
  code:op("mul32 b, b, %d", request.m * 4)
  code:op("add32 b, b, blocks")
  if i > 0 then code:op("add32 b, b, %d", i * 4) end
end

-- way = G(2^d - 1 - step).
local function find_way(code, request)
  code:op("mov32 way, %d", request.nodes - 1)
  code:op("sub32 way, way, step")
  code:encode("way", "scratch")
end

local function own_part(request)
  if is_spread(request) then
    return {name = "part", array = "lounge",
            address = function(code, i) code:op("add32 a, departing, %d", i * 4) end}
  end
  return {name = "part", array = "v", address = function(code, i)
    block_address(code, request, i)
    code:op("mov32 a, b")
  end}
end

-- What has arrived departs.
local function enter(request)
  return function(code)
    code:op("sub32 departing, halves, departing")
    code:op("sub32 arriving, halves, arriving")
    code:op("setdbase from, departing")
    code:op("setdpos from, 0")
    if not is_spread(request) then find_way(code, request) end
  end
end

local function spec_of(request)
  local d = request.d
  return {
    d = d, elements = request.message, words = 1, steps = request.steps_run,
    receive = request.combine .. " into, part, %s",
    operands = {{name = "into", array = "lounge",
                 address = function(code, i) code:op("add32 a, arriving, %d", i * 4) end},
                own_part(request)},
    source = {name = "from", array = "lounge",
              address = function(code, i) code:op("add32 a, departing, %d", i * 4) end},
    enter = enter(request),
    choose = is_spread(request) and steps.choose_in_order(d) or steps.choose_by_lowest_one(d),
  }
end

local function declare(code, request, spec)
  code:line(".%s v[%d, 1] exported", request.element.data, request.nodes * request.m)
  code:line(".%s lounge[%d, 1]", request.element.data, 2 * request.message)
  if request.whole then code:line(".%s y[%d]", request.element.data, request.m) end
  steps_on[request.topology].declare(code, spec)
  code:line(".reg own, way, scratch, blocks, departing, arriving, halves")
  code:line(".dsr part")
end

-- What departs first: everything, or the block of each cycle whose last node this is not.
local function fill_lounge(code, request)
  if is_spread(request) then
    code:op("mov32 lounge[0:%d, 0], v", request.message)
    return
  end
  code:op("mov32 step, 0")
  find_way(code, request)
  for i = 0, math.min(request.d, request.m) - 1 do
    block_address(code, request, i)
    code:op("setd part, v[%d:%d:%d, 0]", i, request.m, request.d)
    code:op("setdbase part, b")
    code:op("mov32 lounge[%d:%d:%d, 0], part", i, request.m, request.d)
  end
end

local function prepare(code, request)
  code:own_block("own", "scratch", request, request.order)
  code:op("setd part, v")
  code:op("getdbase blocks, part")
  code:op("setd from, save(lounge[0, :])")
  code:op("getdbase arriving, from")
  code:op("add32 departing, arriving, %d", request.message * 4)
  code:op("add32 halves, arriving, departing")
end

-- The result: what has arrived last, or the own block of it.
local function select(code, request)
  code:op("mark moved")
  code:op("mov32 a, arriving")
  if is_spread(request) then
    code:op("mul32 b, own, %d", request.m * 4)
    code:op("add32 a, a, b")
  end
  code:op("setd part, lounge[0:%d, 0]", request.m)
  code:op("setdbase part, a")
  code:op("mov32 y, part")
  code:op("mark reordered")
end

-- Its text for a program called `node`; `parameters` are those of its header.
function reduce_cycles.text(request, parameters)
  local code, spec = Code.new(), spec_of(request)
  code:head(".program node(%s)", parameters)
  declare(code, request, spec)
  code:line("task main:")
  prepare(code, request)
  code:op("mark begin")
  fill_lounge(code, request)
  steps_on[request.topology].prepare(code, spec)
  code:op(request.steps_run == 0 and "jmp finish" or "activate shift0")
  if request.steps_run > 0 then code:op("end") end
  steps_on[request.topology].tasks(code, spec)
  code:op("mark end")
  if request.whole then select(code, request) end
  code:op("halt")
  return code:text()
end

return reduce_cycles
