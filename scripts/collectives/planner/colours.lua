-- Colours for the messages of a tree (tree.lua), few of them, such that every router needs at most
-- two switch positions of a colour and no control wavelet:
--
--   a PE that receives on it   [east -> ramp]                 nothing else passes on that colour
--   a PE that sends on it      [ramp -> west] [east ->]       its send advances its own switch
--   others on the way          [east -> west]
--
-- So a message waits where somebody on its way still has to send on its colour, right behind that
-- one, and messages reach a PE in the order of its children: trees take what tree.cycles() says.
local colours = {}

-- The senders, each after all whose messages it passes: those of its own subtree and its earlier
-- siblings. `children` are in the order of receiving.
local function senders_in_order(children)
  local order, waiting = {}, {0}
  while #waiting > 0 do  -- a PE, its last child and that one's subtree, ...: the order backwards
    local pe = table.remove(waiting)
    order[#order + 1] = pe
    for _, child in ipairs(children[pe]) do waiting[#waiting + 1] = child end
  end
  table.remove(order, 1)
  for k = 1, #order // 2 do order[k], order[#order + 1 - k] = order[#order + 1 - k], order[k] end
  return order
end

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
  for _, sender in ipairs(senders_in_order(children)) do
    local used = {}
    for pe = parent[sender] + 1, sender do
      for taken in pairs(received[pe]) do used[taken] = true end
    end
    local free = least_free(used)
    colour[sender], received[parent[sender]][free] = free, true
    count = math.max(count, free + 1)
  end
  return colour, count
end

return colours
