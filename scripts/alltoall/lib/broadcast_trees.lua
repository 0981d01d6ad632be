-- The programs of all-to-all broadcast over trees of disjoint links (slots.lua):
--   node-at-a-time: each node in turn floods its block to all others, in a task of its own;
--   through-root: each node in turn sends its block to node 0 over d disjoint ways, those to node 0 in its own trees
--     of disjoint links, and node 0 floods it; two tasks;
--   send-and-spread: all blocks go to node 0, which floods the whole vector.
-- Every block is in y at its place from the beginning, so nothing is reordered.
local NodeCode = require "alltoall.lib.node_code"
local gray = require "alltoall.lib.gray"
local slots = require "alltoall.lib.slots"

local broadcast_trees = {}

local function is_spread(request) return request.algorithm == "send-and-spread" end
local function is_through_root(request) return request.algorithm == "through-root" end

-- Steps are slots. A spread has a plan of its gather.
function broadcast_trees.steps(request)
  local d, words = request.d, request.block_words
  if not is_spread(request) then
    return (is_through_root(request) and 2 or 1) * request.nodes * slots.flood_slots(words, d)
  end
  request.plan = slots.gather_plan(request)
  return slots.gather_slots(request) + slots.flood_slots(request.nodes * words, d)
end

-- Returns the most words that the arrays of a node take: blocks, the tables of its channels, what it counts.
function broadcast_trees.words(request, block_words)
  local d, nodes = request.d, request.nodes
  local blocks = (nodes + 1) * block_words
  local flood = slots.flood_slots(block_words, d)
  if is_through_root(request) then return blocks + (2 * nodes + 4) * d + 2 * nodes * flood end
  if not is_spread(request) then return blocks + (2 * nodes + 2) * d + nodes * flood end
  return blocks + slots.gather_words(nodes, d) + 2 * nodes * (flood + 1) + 4 * d
end

local function declare(code, request)
  local element = request.element
  local rows = request.algorithm == "node-at-a-time" and request.nodes or 1
  code:line(".%s mine[%d] exported", element.data, request.block_words)
  code:line(".%s y[%d]", element.data, request.nodes * request.block_words)
  code:line(".i32 flood_out[%d] exported", rows * request.d)
  code:line(".i32 flood_in[%d] exported", rows * request.d)
  if is_through_root(request) then
    code:line(".i32 way_out[%d] exported", request.nodes * request.d)
    code:line(".i32 way_in[%d] exported", request.nodes * request.d)
  end
  slots.declare(code, request)
  code:line(".reg own, source")
  code:line(".dsr row")
  if is_spread(request) then slots.declare_gather(code, request) end
end

-- register = address of the block of the node in that register.
local function block_address(code, request, register)
  if request.order == "gray" then code:decode(register, "a", request.d) end
  code:op("mul32 %s, %s, %d", register, register, request.block_words * 4)
  code:op("add32 %s, %s, all", register, register)
end

local function prepare(code, request)
  slots.prepare(code, request)
  code:op("setd row, y[0:%d]", request.block_words)
  code:op("getdbase all, row")
  code:op("mov32 own, x")
  block_address(code, request, "own")
  code:op("setdbase row, own")
  code:op("mov32 row, mine")
end

-- The tables of a flood become those of the channels: row number a / (4 d) of them, or the only one.
function broadcast_trees.take_tables(code, request, table_name, is_row)
  for _, name in ipairs{"out", "in"} do
    code:op("setd row, %s_%s[0:%d]", table_name, name, request.d)
    if is_row then
      code:op("getdbase b, row")
      code:op("add32 b, b, a")
      code:op("setdbase row, b")
    end
    code:op("mov32 next_%s, row", name)
  end
end

-- Floods the block of the present source, and begins the turn of the next one. `is_row`: as for take_tables().
local function flood_and_turn(code, request, is_row)
  broadcast_trees.take_tables(code, request, "flood", is_row)
  slots.flood(code, request, "flood", request.block_words)
  code:op("add32 source, source, 1")
  code:op("bge source, %d, finish", request.nodes)
  code:op("activate turn")
  code:op("end")
end

local function node_at_a_time(code, request)
  code:op("mov32 source, 0")
  slots.begin(code, request, "turn")
  code:line("task turn:")
  code:op("mov32 base, source")
  block_address(code, request, "base")
  code:op("xor32 a, source, x")
  code:op("mul32 a, a, %d", request.d * 4)
  flood_and_turn(code, request, true)
end

local function through_root(code, request)
  code:op("mov32 source, 0")
  slots.begin(code, request, "turn")
  code:line("task turn:")
  code:op("mov32 base, source")
  block_address(code, request, "base")
  code:op("mul32 a, source, %d", request.d * 4)
  broadcast_trees.take_tables(code, request, "way", true)
  slots.flood(code, request, "way", request.block_words)
  code:op("activate spread")
  code:op("end")
  code:line("task spread:")
  flood_and_turn(code, request, false)
end

local function send_and_spread(code, request)
  slots.begin(code, request, "send")
  code:line("task send:")
  code:op("mov32 base, all")
  slots.gather(code, request)
  code:op("mark sent")
  code:op("activate spread")
  code:op("end")
  code:line("task spread:")
  code:op("mov32 base, all")
  broadcast_trees.take_tables(code, request, "flood", false)
  slots.flood(code, request, "flood", request.nodes * request.block_words)
end

-- Its text for a program called `node`; `parameters` are those of its header.
function broadcast_trees.text(request, parameters)
  local code = NodeCode.new()
  code:head(".program node(%s)", parameters)
  declare(code, request)
  code:line(".reg all")
  code:line("task main:")
  prepare(code, request)
  if is_spread(request) then
    send_and_spread(code, request)
  elseif is_through_root(request) then
    through_root(code, request)
  else
    node_at_a_time(code, request)
  end
  code:line("finish:")
  code:op("mark end")
  code:op("halt")
  return code:text()
end

-- The tables as inputs: functions of (node, _, i).
function broadcast_trees.inputs(request)
  local d, spread = request.d, is_spread(request)
  local block_of = gray.orders[request.order].block_of
  local inputs = spread and slots.gather_inputs(request, block_of) or {}
  local relative = request.algorithm == "node-at-a-time"
  local function table_of(first)
    return function(node, _, i) return first(relative and i // d or node, i % d, d) end
  end
  if is_through_root(request) then
    inputs.way_out = function(node, _, i) return slots.way_out(node, i // d, i % d, d) end
    inputs.way_in = function(node, _, i) return slots.way_in(node, i // d, i % d, d) end
  end
  inputs.flood_out, inputs.flood_in = table_of(slots.first_out), table_of(slots.first_in)
  return inputs
end

return broadcast_trees
