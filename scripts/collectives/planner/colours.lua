-- Colours for the messages of a tree of a row (tree.lua), few of them, such that every router needs
-- at most two switch positions of a colour and no control wavelet:
--
--   a PE that receives on it   [east -> ramp]                 nothing else passes on that colour
--   a PE that sends on it      [ramp -> west] [east ->]       its send advances its own switch
--   others on the way          [east -> west]
--
-- So a message waits where somebody on its way still has to send on its colour, right after that
-- one, and messages reach a PE in the order of its children: trees take what tree.cycles() says.
local order_of = require("collectives.planner.tree").order
local max = math.max

local colours = {}

local function least_free(used)
  local colour = 0
  while used[colour] do colour = colour + 1 end
  return colour
end

-- {[sender] = colour from 0}, and how many there are. The least colour that no PE on the way
-- receives on, nor the sender, whose last receive is one instruction with the send.
function colours.of(children, parent)
  local colour, count, received = {}, 0, {}  -- received[pe] = {[colour] = true}
  for pe = 0, #children do received[pe] = {} end
  local order = order_of(children)
  for k = #order, 2, -1 do  -- each after all whose messages it passes
    local sender, used = order[k], {}
    for pe = parent[sender] + 1, sender do
      for taken in pairs(received[pe]) do used[taken] = true end
    end
    local free = least_free(used)
    colour[sender], received[parent[sender]][free] = free, true
    count = max(count, free + 1)
  end
  return colour, count
end

return colours
