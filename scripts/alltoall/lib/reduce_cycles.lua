-- The program of all-to-all reduction over d rotated Hamiltonian cycles, and of reduce-and-spread.
-- A step has the three phases of section 4.2.4: the node's own elements go to the departure lounge,
-- what the step before has brought to the arrival lounge is combined with them, and the lounges are
-- exchanged.
--   d-cycles: a message is a block. In step u = 0..2^d - 2 elements of cycle i depart from block
--     own ~ sh^i(G(2^d - 1 - u)) (indices.lua); after the last step that is the node's own.
--   reduce-and-spread: a message is the whole vector, which is its own departure lounge. In stage u
--     cycle i crosses dimension u + i; after d stages every node has all sums, and keeps its own
--     block.
local NodeCode = require "alltoall.lib.node_code"
local blocks = require "alltoall.lib.blocks"
local cube_steps = require "alltoall.lib.cube_steps"
local mesh_steps = require "alltoall.lib.mesh_steps"
local steps = require "alltoall.lib.steps"
local uneven_steps = require "alltoall.lib.uneven_steps"

local reduce_cycles = {}

local steps_on = {hypercube = cube_steps, mesh = mesh_steps}
local function steps_of(request) return request.uneven and uneven_steps or steps_on[request.topology] end

local function is_spread(request) return request.algorithm == "reduce-and-spread" end

-- The array that departs.
function reduce_cycles.lounge(request) return is_spread(request) and "v" or "departing" end

-- Words of an element in a lounge: one, and its index if that moves along.
function reduce_cycles.words(request) return request.indexed and 2 or 1 end

-- b = the address of element i of the block whose place differs from the own one by sh^i(G(...)),
-- the code in `way`.
local function block_address(code, request, i)
  code:rotate("b", "way", i, "scratch", request.d)
  if request.order == "gray" then code:decode("b", "scratch", request.d) end
  code:op("xor32 b, b, own")
  blocks.address(code, request, "b", "blocks", 1)
  if i > 0 then code:op("add32 b, b, %d", i * blocks.stride(request) * 4) end
end

-- The own elements of step number `step`, counted from 1; way = G(2^d - step).
local function depart(code, request)
  code:op("mov32 way, %d", request.nodes)
  code:op("sub32 way, way, step")
  code:encode("way", "scratch")
  local stride = blocks.stride(request)
  for i = 0, math.min(request.d, request.m) - 1 do
    block_address(code, request, i)
    code:op("setd part, v[%d:%d:%d, 0]", i * stride, request.m * stride, request.d * stride)
    code:op("setdbase part, b")
    code:op("mov32 departing[%d:%d:%d, 0], part", i, request.m, request.d)
    if request.indexed then
      code:op("sub32 b, b, blocks")
      code:op("slr32 b, b, 2")
      if i > 0 then code:op("sub32 b, b, %d", i * stride) end
      code:op("setd into, departing[%d:%d:%d, 1]", i, request.m, request.d)
      code:op("add32 into, offsets[%d:%d:%d], b", i, request.m, request.d)
    end
  end
end

-- Lets what has arrived depart again, element by element, combined with the own element that its index names.
local function combine_by_indices(code, request, label)
  code:op("mov32 a, arrivals")
  code:op("mov32 b, departures")
  code:op("mov32 left, %d", request.m)
  code:line("$%s_next:", label)
  code:op("setd into, arriving[0, :]")
  code:op("setdbase into, a")
  code:op("setd from, departing[0, :]")
  code:op("setdbase from, b")
  code:op("mov32 from, into")
  code:op("add32 way, b, 4")
  code:op("setd into, departing[0, 1:2]")
  code:op("setdbase into, way")
  code:op("mov32 way, 0")
  code:op("add32 way, way, into")
  code:op("sll32 way, way, 2")
  code:op("add32 way, way, blocks")
  code:op("setd part, v[0, :]")
  code:op("setdbase part, way")
  code:op("setd from, departing[0, 0:1]")
  code:op("setdbase from, b")
  code:op("%s from, from, part", request.combine)
  code:op("add32 a, a, 8")
  code:op("add32 b, b, 8")
  code:op("sub32 left, left, 1")
  code:op("bne left, 0, $%s_next", label)
end

-- Both, for the step to come. (With 12 channels there is but one descriptor without a name.)
local function fill_lounge(code, request, label)
  if request.indexed then
    code:op("beq step, 1, $%s_first", label)
    combine_by_indices(code, request, label)
    code:op("jmp $%s", label)
    code:line("$%s_first:", label)
    depart(code, request)
    code:line("$%s:", label)
    return
  end
  if not is_spread(request) then depart(code, request) end
  code:op("beq step, 1, $%s", label)
  code:op("setd part, %s[0:%d, 0]", reduce_cycles.lounge(request), request.message)
  code:op("setd into, arriving")
  code:op("%s part, part, into", request.combine)
  code:line("$%s:", label)
end

-- Element i of a lounge; `base` is the register with its address.
local function in_lounge(request, array, base)
  return {array = array, address = function(code, i)
    code:op("add32 a, %s, %d", base, i * reduce_cycles.words(request) * 4)
  end}
end

local function spec_of(request)
  local d = request.d
  return {
    d = d, first = request.first, elements = request.message, words = reduce_cycles.words(request), steps = request.steps_run,
    source = in_lounge(request, reduce_cycles.lounge(request), "departures"),
    target = in_lounge(request, "arriving", "arrivals"),
    enter = function(code, t)
      fill_lounge(code, request, "alone" .. t)
      code:op("setd from, save(%s[0, :])", reduce_cycles.lounge(request))
    end,
    choose = is_spread(request) and steps.choose_in_order(d) or steps.choose_by_lowest_one(d),
    order = request.order, size = function(code, n, b) blocks.size_of(code, request, n, b) end,
    way = function(code, register, out)
      code:op("mov32 %s, %d", register, out and request.nodes or request.nodes - 1)
      code:op("sub32 %s, %s, step", register, register)
      code:encode(register, "scratch")
    end,
  }
end

-- The names of a phase of a program: arrays v, departing and arriving, of a reduce-and-spread y;
-- registers from 6 on.
function reduce_cycles.declare(code, request)
  local data, words = request.element.data, reduce_cycles.words(request)
  code:line(".%s v[%d, 1] exported", data, request.nodes * request.m)
  if request.indexed then code:line(".i32 offsets[%d] = i * %d", request.m, blocks.stride(request)) end
  if not is_spread(request) then code:line(".%s departing[%d, %d]", data, request.m, words) end
  code:line(".%s arriving[%d, %d]", data, request.message, words)
  if is_spread(request) then code:line(".%s y[%d]", data, request.m) end
  steps_of(request).declare(code, spec_of(request))
  code:registers(6, {"own", "scratch", "way", "blocks", "departures", "arrivals"})
  code:declare("dsr", "part")
end

local function prepare(code, request)
  code:own_block("own", "scratch", request, request.order)
  code:op("setd part, v")
  code:op("getdbase blocks, part")
  code:op("setd into, arriving")
  code:op("getdbase arrivals, into")
  code:op("setd from, %s", reduce_cycles.lounge(request))
  code:op("getdbase departures, from")
end

-- The result is in the departure lounge, after a reduce-and-spread in y.
local function finish(code, request)
  code:op("mark $moved")
  fill_lounge(code, request, "alone")
  if is_spread(request) then
    code:op("mov32 b, own")
    blocks.address(code, request, "b", "blocks", 1)
    local stride = blocks.stride(request)
    code:op("setd part, v[0:%d:%d, 0]", request.m * stride, stride)
    code:op("setdbase part, b")
    code:op("mov32 y, part")
  end
  code:op("mark $reordered")
end

-- The phase itself, from v to its result; code continues after it.
function reduce_cycles.phase(code, request)
  local spec, exchange = spec_of(request), steps_of(request)
  prepare(code, request)
  exchange.prepare(code, spec)
  steps.start(code, request)
  exchange.tasks(code, spec)
  finish(code, request)
end

-- Its text for a program called `node`; `parameters` are those of its header.
function reduce_cycles.text(request, parameters)
  local code = NodeCode.new()
  code:head(".program node(%s)", parameters)
  reduce_cycles.declare(code, request)
  code:line("task main:")
  reduce_cycles.phase(code, request)
  code:op("halt")
  return code:text()
end

return reduce_cycles
