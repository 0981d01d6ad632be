-- Traffic and work of a step for each cell, counted from its plan at a PE that has all its neighbours: flop, words that are read from
-- memory and written to it, words that it sends and receives. Must not know how long that takes.
local cost = require "stencil.explain.cost"
local plan = require "stencil.compile.plan"
local rates = require "stencil.explain.rates"

local traffic = {}

local function add_exchange(sums, op, count)
  for _, broadcast in ipairs(op.broadcasts) do
    local words = count + 2 * broadcast.reach
    sums.loads, sums.sent = sums.loads + words, sums.sent + words
    for _, group in ipairs(broadcast.groups) do
      for _, offset in ipairs(group.offsets) do
        local handler = group.handlers[offset]
        local flop = handler.weight and 1 or handler.buffer and 0 or 2
        sums.received, sums.stores, sums.flop = sums.received + words, sums.stores + words, sums.flop + flop * words
        if flop > 0 then sums.loads = sums.loads + words end
      end
    end
  end
end

local function add_vector(sums, op, elements)
  sums.flop = sums.flop + cost.flops[op[1]] * elements
  sums.stores = sums.stores + elements
  for k = 3, #op do
    if type(op[k]) == "table" and op[k].region then sums.loads = sums.loads + elements end
  end
end

-- Returns {flop, loads, stores, sent, received} of a cell of a column, means over the phases of the step.
function traffic.of(step)
  local sums = {flop = 0, loads = 0, stores = 0, sent = 0, received = 0}
  for _, phase in ipairs(step.phases) do
    for _, group in ipairs(phase) do
      for _, piece in ipairs(plan.pieces(step, group)) do
        for _, op in ipairs(group) do
          if op[1] == "exchange" then
            add_exchange(sums, op, piece.count)
          elseif cost.flops[op[1]] then
            add_vector(sums, op, rates.elements(step, op, piece.first, piece.count))
          end
        end
      end
    end
  end
  for name, sum in pairs(sums) do sums[name] = sum / #step.phases / step.cells end
  return sums
end

return traffic
