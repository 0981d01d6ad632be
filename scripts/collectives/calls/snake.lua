-- A line through all PEs of a rectangle, row by row or column by column, every second one backwards, from one of its
-- corners; a place is the number of a PE on it:
--
--     0 - 1 - 2 - 3
--                 |
--     7 - 6 - 5 - 4
--
-- Trees of a line (tree.lua) lie on it as on a row; their messages follow it. Must never know what is sent.
local format, ipairs, max, setmetatable = string.format, ipairs, math.max, setmetatable
local lines = require "collectives.calls.line"

local Snake = {__metatable = false}
Snake.__index = Snake

local snakes = {}

-- The place of PE (x, y) of the rectangle, both counted from its first one.
function Snake:place(x, y)
  local u = self.from_east and self.width - 1 - x or x
  local v = self.from_south and self.height - 1 - y or y
  if self.by == "columns" then return u * self.height + (u % 2 == 0 and v or self.height - 1 - v) end
  return v * self.width + (v % 2 == 0 and u or self.width - 1 - u)
end

-- The PE of a place, counted from the first one of the rectangle.
function Snake:pe(place)
  local length = self.by == "columns" and self.height or self.width
  local lane, along = place // length, place % length
  if lane % 2 == 1 then along = length - 1 - along end
  local u, v = along, lane
  if self.by == "columns" then u, v = lane, along end
  return self.from_east and self.width - 1 - u or u, self.from_south and self.height - 1 - v or v
end

-- The pieces of a region: one place.
function Snake:piece(place)
  local x, y = self:pe(place)
  x, y = x + self.rect[1][1], y + self.rect[2][1]
  return {{x, x, 1}, {y, y, 1}}
end

-- The side of a place on which the neighbouring place `other` lies.
function Snake:side(place, other)
  local x, y = self:pe(place)
  local to_x, to_y = self:pe(other)
  if to_x ~= x then return to_x > x and "east" or "west" end
  return to_y > y and "south" or "north"
end

-- Sets the routes of a message from one place to another one.
function Snake:way(channel, from, to)
  local step, w = from < to and 1 or -1, self.layout
  for at = from, to, step do
    local back = at == from and "ramp" or self:side(at, at - step)
    local on = at == to and "ramp" or self:side(at, at + step)
    local piece = self:piece(at)
    w:route(channel, w:pe(piece[1][1], piece[2][1]), format("%s -> %s", back, on))
  end
end

-- The line on which PE (x, y), counted from the first one of the rectangle, has a place nearest to an end, where a
-- message to it takes all words from one side; if it is no end, one whose longer side is the shortest.
function snakes.make(layout, rect, x, y)
  local width, height = lines.sizes(rect)
  local best, least
  for _, by in ipairs{"rows", "columns"} do
    for corner = 0, 3 do
      local line = setmetatable({layout = layout, rect = rect, width = width, height = height, size = width * height,
                                 by = by, from_east = corner % 2 == 1, from_south = corner > 1,
                                 axis = format("snake_%s%d", by, corner)}, Snake)
      local place = line:place(x, y)
      local longer = place == 0 and 0 or max(place, line.size - 1 - place)
      if not least or longer < least then best, least = line, longer end
    end
  end
  return best, best:place(x, y)
end

return snakes
