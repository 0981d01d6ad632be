-- The routes of collectives: who hears whom on which colour. A call leaves a lane as
-- it found it. Must never know what is sent, or code.
--
--   hop      each PE of a line to the next one: two colours in turn, `loop`: a PE hears itself, too
--   train    each PE sends its own, then its router passes on what comes from behind; the last one of the
--            line ends that with a control wavelet, which turns all switches back:
--              [ramp -> on] [back ->] ring
--   convoy   routers pass on what comes from behind, and then their PE sends; a control wavelet behind its words
--            turns its own router back and the next one on:
--              [back -> on] [ramp ->] ring pop=always
--   any      one PE of a line to all behind it, whichever turns its switch
--   flood    one PE to all others of a rectangle
--   message  of a tree (tree.lua), from PE to PE of a line
local host = require "wse.host"
local format, max, min = string.format, math.max, math.min

local lanes = {most_counted = 65536} -- wavelets, by a filter

-- Returns a function that gives the channel on which a place sends to the next one up (direction 1) or
-- down (-1).
function lanes.hop(request, line, direction, loop)
  local channels = {}
  local on, back = line:sides(direction)
  local last = direction > 0 and line.size - 1 or 0
  for parity = 0, 1 do
    local channel, fresh = request:lane(format("%s_hop_%s%s%d", line.axis, on, loop and "_loop" or "",
                                               parity))
    channels[parity] = channel
    if fresh then
      local start = line.size - 1 - last
      for at = parity, line.size - 1, 2 do
        if at ~= last then
          local copy = loop and at ~= start and ", ramp" or ""
          line:route(channel, at, at, format("ramp -> %s%s", on, copy))
          line:route(channel, at + direction, at + direction, back .. " -> ramp")
        end
      end
    end
  end
  return function(place) return channels[place % 2] end
end

-- The lane of a train from place `from`, where it begins, to place `to`, which sends nothing. Functions of the place
-- say of a router between them: `copies`, whether it gives its PE a copy of what passes; `sends`, whether its PE
-- sends, which all do if there is no function. (A send of no words would turn its switch at once, be the train
-- before still under way or not.)
function lanes.train(request, line, from, to, name, copies, sends)
  local direction = from < to and 1 or -1
  local on, back = line:sides(direction)
  local channel, fresh = request:lane(format("%s_train_%s_%s", line.axis, on, name))
  if fresh then
    line:route(channel, from, from, "ramp -> " .. on)
    for at = from + direction, to - direction, direction do
      local copy = copies and copies(at) and ", ramp" or ""
      local is_sender = not sends or sends(at)
      line:route(channel, at, at, is_sender and format("[ramp -> %s%s] [%s ->] ring", on, copy, back)
                                  or format("%s -> %s%s", back, on, copy))
    end
    line:route(channel, to, to, back .. " -> ramp")
  end
  return channel, fresh
end

-- The lane of a convoy from place `from` to place `to`, which sends nothing: routers pass on what comes from behind,
-- with a copy for the PE where copies(place) says so, until a control wavelet behind it lets the PE send.
function lanes.convoy(request, line, from, to, name, copies)
  local direction = from < to and 1 or -1
  local on, back = line:sides(direction)
  local channel, fresh = request:lane(format("%s_convoy_%s_%s", line.axis, on, name))
  if fresh then
    line:route(channel, from, from, format("ramp -> %s pop=always", on))
    for at = from + direction, to - direction, direction do
      line:route(channel, at, at, format("[%s -> %s%s] [ramp ->] ring pop=always", back, on,
                                         copies(at) and ", ramp" or ""))
    end
    line:route(channel, to, to, back .. " -> ramp")
  end
  return channel, fresh
end

-- The lane in a direction from whichever place turns its switch: [back -> on, ramp] [ramp -> on, ramp] ring. It hears
-- itself, and its last word turns the switch back.
function lanes.any_root(request, line, direction)
  local on, back = line:sides(direction)
  local first, last = direction > 0 and 0 or line.size - 1, direction > 0 and line.size - 1 or 0
  local channel, fresh = request:lane(format("%s_any_%s", line.axis, on))
  if fresh then
    line:route(channel, first, first, format("ramp -> %s, ramp", on))
    line:route(channel, 1, line.size - 2, format("[%s -> %s, ramp] [ramp ->] ring", back, on))
    line:route(channel, last, last, back .. " -> ramp")
  end
  return channel
end

-- The control wavelet that a PE of a convoy sends behind its words: it turns the PE's own router back and the next
-- one on, and nothing behind that.
lanes.next_of_convoy = "control(31, ignore(adv), ignore(adv))"

-- Lets the PEs get wavelets first .. first + count - 1 of every `total` ones.
function lanes.filter(request, region, channel, first, count, total)
  if total > lanes.most_counted then
    host.raise(format("%s: %d wavelets pass a PE, and a filter counts up to %d", request.call, total,
                      lanes.most_counted))
  end
  if count == total then return end
  request.layout:filter(channel, region, format("counter max=%d limit=%d start=%d", count - 1, total - 1,
                                                 (total - first) % total))
end

-- The lane from place `root` of a line to places first..last; heard(place): its PE gets it.
function lanes.flood_line(request, line, root, first, last, name, heard)
  local channel, fresh = request:lane(format("%s_flood_%s", line.axis, name))
  if not fresh then return channel end
  local ways = {}
  if first < root then ways[#ways + 1] = line.down end
  if last > root then ways[#ways + 1] = line.up end
  line:route(channel, root, root, "ramp -> " .. table.concat(ways, ", "))
  for place = first, last do
    local direction = place > root and 1 or -1
    local on, back = line:sides(direction)
    local ends = place == (direction > 0 and last or first)
    local to = ends and "ramp" or heard(place) and on .. ", ramp" or on
    if place ~= root then line:route(channel, place, place, format("%s -> %s", back, to)) end
  end
  return channel
end

local function joined(...)
  local list = {}
  for _, side in ipairs{...} do
    if side ~= "" then list[#list + 1] = side end
  end
  return table.concat(list, ", ")
end

-- The lane from PE (x, y) of a rectangle, both counted from its first one, to all others: along its row,
-- and from there along the columns. `name`: of what filters are on it.
function lanes.flood(request, rect, x, y, name)
  local channel, fresh = request:lane(format("flood_%d_%d%s", x, y, name or ""))
  if not fresh then return channel end
  local w, xs, ys = request.layout, rect[1], rect[2]
  x, y = xs[1] + x, ys[1] + y
  local north, south = y > ys[1] and "north" or "", y < ys[2] and "south" or ""
  local function route(from_x, to_x, from_y, to_y, text)
    if from_x > to_x or from_y > to_y then return end
    w:route(channel, w:rect({from_x, to_x}, {from_y, to_y}), text)
  end
  route(x, x, y, y, "ramp -> " .. joined(x > xs[1] and "west" or "", x < xs[2] and "east" or "", north, south))
  route(xs[1] + 1, x - 1, y, y, "east -> " .. joined("west", north, south, "ramp"))
  route(xs[1], min(xs[1], x - 1), y, y, "east -> " .. joined(north, south, "ramp"))
  route(x + 1, xs[2] - 1, y, y, "west -> " .. joined("east", north, south, "ramp"))
  route(max(xs[2], x + 1), xs[2], y, y, "west -> " .. joined(north, south, "ramp"))
  route(xs[1], xs[2], ys[1] + 1, y - 1, "south -> north, ramp")
  route(xs[1], xs[2], ys[1], min(ys[1], y - 1), "south -> ramp")
  route(xs[1], xs[2], y + 1, ys[2] - 1, "north -> south, ramp")
  route(xs[1], xs[2], max(ys[2], y + 1), ys[2], "north -> ramp")
  return channel
end

-- Returns a function that gives the channel on which the last PE of a row sends to all PEs of the next one: two
-- colours in turn.
function lanes.to_next_row(request, rect)
  local w, xs, ys, channels = request.layout, rect[1], rect[2], {}
  for parity = 0, 1 do
    local channel, fresh = request:lane("next_row" .. parity)
    channels[parity] = channel
    for y = ys[1] + parity, fresh and ys[2] - 1 or -1, 2 do
      local west = xs[2] > xs[1]
      w:route(channel, w:pe(xs[2], y), "ramp -> south")
      w:route(channel, w:pe(xs[2], y + 1), west and "north -> west, ramp" or "north -> ramp")
      if west then
        if xs[2] - xs[1] > 1 then w:route(channel, w:rect({xs[1] + 1, xs[2] - 1}, y + 1), "east -> west, ramp") end
        w:route(channel, w:pe(xs[1], y + 1), "east -> ramp")
      end
    end
  end
  return function(row) return channels[row % 2] end
end

-- The lanes of the messages of a plan of tree.lua on a line or a snake: {[place that sends] = channel}.
function lanes.messages(request, line, plan)
  local channels = {}
  for _, message in ipairs(plan.messages) do
    local channel, fresh = request:lane(format("%s_%s%d", line.axis, plan.name, message.colour))
    channels[message.from] = channel
    if fresh then line:way(channel, message.from, message.to) end
  end
  return channels
end

return lanes
