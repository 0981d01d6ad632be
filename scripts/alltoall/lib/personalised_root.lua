-- The program of one-sided personalised communication through trees of disjoint links (slots.lua):
-- a gather of all blocks in node 0, or a scatter of its blocks to all. Every block is at its
-- place in y on its way, and at its end.
local NodeCode = require "alltoall.lib.node_code"
local slots = require "alltoall.lib.slots"

local personalised_root = {}

-- Returns the words that the arrays of a node take.
function personalised_root.words(request, block_words)
  local d, nodes = request.d, request.nodes
  local slots_at_most = nodes * ((block_words + 2 * d - 1) // (2 * d) + 1)
  return nodes * block_words + slots.gather_words(nodes, d) + slots_at_most + 4 * d
end

-- Its text for a program called `node`; `parameters` are those of its header.
function personalised_root.text(request, parameters)
  local code = NodeCode.new()
  code:head(".program node(%s)", parameters)
  code:line(".%s y[%d] exported", request.element.data, request.nodes * request.block_words)
  slots.declare(code, request)
  slots.declare_gather(code, request)
  code:line("task main:")
  slots.prepare(code, request)
  slots.begin(code, request, "send")
  code:line("task send:")
  code:op("getdbase base, from")
  slots.gather(code, request)
  code:line("finish:")
  code:op("mark end")
  code:op("halt")
  return code:text()
end

return personalised_root
