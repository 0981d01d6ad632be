-- The program of all-to-all personalised communication (a transpose of blocks) in d stages.
-- z has a block for every node. In stage u the elements of cycle i cross dimension k = u + i: a
-- node sends those blocks whose bit k is not its own, and receives as many, to the places of those
-- that it sends. After all stages block j of z has come from node j.
-- Departing elements are first copied into a lounge, in the order of blocks: what a stage sends is
-- then one message of 2^(d-1) blocks. With more dimensions than microthreads what arrives goes to a
-- lounge, too, where the main thread can receive an element at a time, and from there to z.
-- v and y have the blocks in their order, z by nodes.
local NodeCode = require "alltoall.lib.node_code"
local cube_steps = require "alltoall.lib.cube_steps"
local steps = require "alltoall.lib.steps"
local format = string.format

local personalised_program = {}

local function has_arrivals(request) return request.d > cube_steps.microthreads end

-- Elements of cycle i in a block of m.
local function share(request, i) return (request.m - i + request.d - 1) // request.d end

-- The elements of cycle i in all blocks with one value of bit k, in the order of blocks.
local function half_of_blocks(request, i, k)
  local words = request.element.words
  local block = request.m * words
  return format("mem(0, length=[%d, %d, %d, %d], stride=[%d, %d, %d, 1])",
                1 << request.d - 1 - k, 1 << k, share(request, i), words, block << k + 1, block,
                request.d * words)
end

-- The same elements in a lounge.
local function in_lounge(request, i)
  local words = request.element.words
  return format("mem(0, length=[%d, %d, %d], stride=[%d, %d, 1])", request.nodes // 2,
                share(request, i), words, request.m * words, request.d * words)
end

-- a = address of element i of the first block of z whose bit k is not the node's own.
local function other_half(request)
  local block = request.m * request.element.words * 4
  return function(code, i, k)
    code:op("slr32 a, own, %d", k)
    code:op("and32 a, a, 1")
    code:op("xor32 a, a, 1")
    code:op("mul32 a, a, %d", block << k)
    code:op("add32 a, a, blocks")
    if i > 0 then code:op("add32 a, a, %d", i * request.element.words * 4) end
  end
end

-- Copies between z and a lounge, whose address is in a register, what a stage of kind t exchanges:
-- the first element i of each cycle is words further than that of the one before.
local function copy_halves(code, request, t, lounge, copy)
  local address = other_half(request)
  for i = 0, math.min(request.d, request.m) - 1 do
    local k = (t + i) % request.d
    address(code, i, k)
    code:op("setd part, %s", half_of_blocks(request, i, k))
    code:op("setdbase part, a")
    code:op("add32 a, %s, %d", lounge, i * request.element.words * 4)
    code:op("setd into, %s", in_lounge(request, i))
    code:op("setdbase into, a")
    code:op(copy)
  end
end

-- Where elements arrive: at their places in z, or in the lounge of arrivals.
local function arrivals_of(request)
  if not has_arrivals(request) then
    return {address = other_half(request),
            places = function(i, k) return half_of_blocks(request, i, k) end}
  end
  return {
    array = "arriving",
    address = function(code, i)
      code:op("add32 a, arrivals, %d", i * request.element.words * 4)
    end,
    places = function(i) return in_lounge(request, i) end,
  }
end

local function spec_of(request)
  return {
    d = request.d, elements = request.m, words = request.element.words, steps = request.steps_run,
    blocks = request.nodes // 2, target = arrivals_of(request),
    enter = function(code, t)
      copy_halves(code, request, t, "departures", "mov32 into, part")
      code:op("setd from, save(departing[0, :])")
    end,
    leave = has_arrivals(request) and function(code, t)
      copy_halves(code, request, t, "arrivals", "mov32 part, into")
    end,
    choose = steps.choose_in_order(request.d),
  }
end

-- Copies all blocks between z, which has them by nodes, and an array that has them in their order.
local function copy_blocks(code, request, name, ordered, into_z)
  local block = request.m * request.element.words
  code:op("setd part, %s[0:%d]", ordered, block)
  code:op("getdbase b, part")
  code:op("setd into, z[0:%d]", block)
  code:op("getdbase words, into")
  code:op("mov32 left, 0")
  code:line("%s:", name)
  code:op("mov32 a, left")
  if request.order == "gray" then code:decode("a", "row", request.d) end
  code:op("mul32 a, a, %d", block * 4)
  code:op("add32 a, a, b")
  code:op("setdbase part, a")
  code:op("mul32 row, left, %d", block * 4)
  code:op("add32 row, row, words")
  code:op("setdbase into, row")
  code:op(into_z and "mov32 into, part" or "mov32 part, into")
  code:op("add32 left, left, 1")
  code:op("blt left, %d, %s", request.nodes, name)
end

local function declare(code, request, spec)
  local element, words = request.element, request.m * request.element.words
  code:line(".%s v[%d] exported", element.data, request.nodes * words)
  code:line(".%s z[%d]", element.data, request.nodes * words)
  local lounge = {request.nodes // 2 * request.m, element.words}
  code:line(".%s departing[%d, %d]", element.data, lounge[1], lounge[2])
  if has_arrivals(request) then
    code:line(".%s arriving[%d, %d]", element.data, lounge[1], lounge[2])
  end
  code:line(".%s y[%d]", element.data, request.nodes * words)
  cube_steps.declare(code, spec)
  code:registers(6, {"own", "blocks", "departures", "arrivals", "parts"})
  code:line(".dsr part")
end

-- Returns the words that the arrays of a node take: v, z and y, and half of them in each lounge.
function personalised_program.words(request, block_words)
  local halves = has_arrivals(request) and 8 or 7
  return halves * request.nodes // 2 * block_words + 2 * request.d
end

-- Its text for a program called `node`; `parameters` are those of its header.
function personalised_program.text(request, parameters)
  local code, spec = NodeCode.new(), spec_of(request)
  code:head(".program node(%s)", parameters)
  declare(code, request, spec)
  code:line("task main:")
  copy_blocks(code, request, "by_nodes", "v", true)
  code:op("mov32 own, x")
  code:op("setd part, z")
  code:op("getdbase blocks, part")
  code:op("setd from, departing")
  code:op("getdbase departures, from")
  if has_arrivals(request) then
    code:op("setd into, arriving")
    code:op("getdbase arrivals, into")
  end
  cube_steps.prepare(code, spec)
  steps.start(code, request)
  cube_steps.tasks(code, spec)
  code:op("mark moved")
  copy_blocks(code, request, "in_order", "y", false)
  code:op("mark reordered")
  code:op("halt")
  return code:text()
end

return personalised_program
