-- The localized broadcast on routes that never change, for words that come from up to `left` PEs before
-- and `right` PEs behind those that receive them.
--
-- A round has left + right + 1 steps, each with its own colour. In step s the PEs whose coordinate is s
-- modulo the steps are roots; every other PE hears the one root in its reach:
--     left 2, right 1, step 0:   0 -> 1 -> 2    3 <- 4 -> 5 -> 6    7 <- 8 -> 9 -> 10
-- All PEs take the steps in one order, so one can always continue.
local format, concat = string.format, table.concat

local channels = {}

channels.axes = {
  x = {name = "x", towards = {"west", "east"}, extent = "width"},
  y = {name = "y", towards = {"north", "south"}, extent = "height"},
}

function channels.steps(channel) return channel.left + channel.right + 1 end

function channels.colour(channel, step)
  return format("%s_%d_%d_%d", channel.axis, channel.left, channel.right, step)
end

-- Returns where the root of a step is, seen from the PE at `at`; nil if it is beyond the line.
function channels.offset(channel, at, step, length)
  local offset = (step - at + channel.left) % channels.steps(channel) - channel.left
  local root = at + offset
  if root >= 0 and root < length then return offset end
end

-- Returns the same as an expression of a program, roots beyond the line included.
function channels.offset_text(channel, step)
  return format("((%d - %s) %% %d - %d)", step + channel.left, channel.axis, channels.steps(channel), channel.left)
end

-- Returns whether a root has somebody to send to.
function channels.is_heard(channel, at, length)
  return channel.left > 0 and at < length - 1 or channel.right > 0 and at > 0
end

-- Returns the condition that a PE is a root and is heard, as an expression.
function channels.root_text(channel, step)
  local axis = channels.axes[channel.axis]
  local heard = {}
  if channel.left > 0 then heard[#heard + 1] = format("%s < %s - 1", channel.axis, axis.extent) end
  if channel.right > 0 then heard[#heard + 1] = format("%s > 0", channel.axis) end
  return format("%s == 0 && (%s) ? 1 : 0", channels.offset_text(channel, step), concat(heard, " || "))
end

-- Returns the condition that a PE hears a root at one of these offsets, as an expression; `offset` is that
-- of offset_text.
function channels.hears_text(channel, offset, offsets)
  local axis = channels.axes[channel.axis]
  local inside = format("%s + %s >= 0 && %s + %s < %s", channel.axis, offset, channel.axis, offset, axis.extent)
  if #offsets == channels.steps(channel) - 1 then return format("%s != 0 && %s ? 1 : 0", offset, inside) end
  local list = {}
  for k, value in ipairs(offsets) do list[k] = format("%s == %d", offset, value) end
  return format("(%s) && %s ? 1 : 0", concat(list, " || "), inside)
end

-- Returns the route of a router as of layout:route; nil: nothing comes by.
local function route(channel, at, step, length)
  local offset = channels.offset(channel, at, step, length)
  if offset == nil then return nil end
  local back, on = table.unpack(channels.axes[channel.axis].towards)
  local to = {}
  if offset <= 0 and -offset < channel.left and at < length - 1 then to[#to + 1] = on end
  if offset >= 0 and offset < channel.right and at > 0 then to[#to + 1] = back end
  if offset ~= 0 then to[#to + 1] = "ramp" end
  if #to == 0 then return nil end
  return format("%s -> %s", offset == 0 and "ramp" or offset < 0 and back or on, concat(to, ", "))
end

-- Declares the colours of a channel in a layout and adds its routes. Inner PEs of a line whose root is
-- equally far away have the same route.
function channels.add(layout, channel)
  local steps, along_x = channels.steps(channel), channel.axis == "x"
  local length = along_x and layout.width or layout.height
  local all = {0, (along_x and layout.height or layout.width) - 1}
  local function add(step, first, last, stride)
    local text = first <= last and route(channel, first, step, length)
    if not text then return end
    local range = {first, last, stride}
    local region = along_x and layout:rect(range, all) or layout:rect(all, range)
    layout:route(channels.colour(channel, step), region, text)
  end
  for step = 0, math.min(steps, length) - 1 do
    layout:colour(channels.colour(channel, step))
    for at = 0, length - 1 do
      if at < steps or at >= length - steps then add(step, at, at, 1) end
    end
    for first = steps, 2 * steps - 1 do add(step, first, length - steps - 1, steps) end
  end
end

return channels
