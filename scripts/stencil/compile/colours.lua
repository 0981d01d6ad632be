-- Which way of broadcasting a machine has colours for, the fastest first: static routes with a channel
-- for each axis and reach; one channel for each axis, as wide as the widest; switches, with a colour for
-- each direction, on which a PE sends its words once for each side.
local host = require "wse.host"
local format = string.format

local colours = {}

-- Calls see(broadcast) for each broadcast of a step.
function colours.each_broadcast(step, see)
  for _, phase in ipairs(step.phases) do
    for _, group in ipairs(phase) do
      for _, op in ipairs(group) do
        for _, broadcast in ipairs(op.broadcasts or {}) do see(broadcast) end
      end
    end
  end
end

-- Returns the widest reach on each axis.
function colours.widest(step)
  local widest = {x = {left = 0, right = 0}, y = {left = 0, right = 0}}
  colours.each_broadcast(step, function(broadcast)
    local wide = widest[broadcast.axis]
    wide.left, wide.right = math.max(wide.left, broadcast.left), math.max(wide.right, broadcast.right)
  end)
  return widest
end

-- Gives each broadcast its channel {axis, left, right, is_switched}. Returns the list of channels.
function colours.channels(step, mode)
  local list, by_key = {}, {}
  colours.each_broadcast(step, function(broadcast)
    local key = format("%s %d %d", broadcast.axis, broadcast.left, broadcast.right)
    if not by_key[key] then
      by_key[key] = {axis = broadcast.axis, left = broadcast.left, right = broadcast.right,
                     is_switched = mode == "switched"}
      list[#list + 1] = by_key[key]
    end
    broadcast.channel = by_key[key]
  end)
  return list
end

local function count(step, list)
  local total = 0
  for _, channel in ipairs(list) do
    local length = channel.axis == "x" and step.shape.width or step.shape.height
    local steps = channel.is_switched and 1 or math.min(channel.left + channel.right + 1, length)
    if length > 1 then total = total + steps end
  end
  return total
end

-- Returns lowered(mode, widest) for the first mode whose colours fit, but for `others` that are not its own: "static", "joined" or
-- "switched".
function colours.choose(machine, lowered, others)
  local most = machine.colours - others
  if machine.queue_colours > 0 then
    most = math.min(machine.colours, machine.input_queues, machine.output_queues) - others
  end
  local step, widest = lowered("static"), nil
  widest = colours.widest(step)
  local needed = math.huge
  for _, mode in ipairs{"static", "joined", "switched"} do
    if mode ~= "static" then step = lowered(mode, widest) end
    step.channels, step.mode = colours.channels(step, mode), mode
    local own = count(step, step.channels)
    -- Its routes turn both sides of a position at once.
    local is_possible = mode ~= "switched" or machine.switch_position_sides ~= 1
    if own <= most and is_possible then return step end
    if is_possible then needed = math.min(needed, own) end
  end
  host.raise(format("the exchange needs %d colours at a PE, and this machine has %d", needed, most))
end

return colours
