-- Lines of PEs of a rectangle: all its rows or all its columns at once, which do the same. A place is the
-- number of a PE on its line. Must never know what is sent.
local setmetatable = setmetatable

local Line = {__metatable = false}
Line.__index = Line

local lines = {}

-- The lines of the rectangle {xs, ys} along an axis, "x" or "y"; `only`: one of them, by its number on the
-- other axis of the grid.
function lines.make(layout, rect, axis, only)
  local own, others = rect[axis == "x" and 1 or 2], rect[axis == "x" and 2 or 1]
  if only then others = {only, only, 1} end
  return setmetatable({layout = layout, axis = axis, first = own[1], size = own[2] - own[1] + 1,
                       others = others, up = axis == "x" and "east" or "south",
                       down = axis == "x" and "west" or "north"}, Line)
end

-- The pieces of a region: places from..to of all lines.
function Line:piece(from, to, step)
  local own = {self.first + from, self.first + to, from == to and 1 or step or 1}
  return self.axis == "x" and {own, self.others} or {self.others, own}
end

-- Sets the route of places from..to; where there is none of them nothing is set.
function Line:route(channel, from, to, text, step)
  if from > to then return end
  step = step or 1
  to = to - (to - from) % step
  local piece = self:piece(from, to, step)
  local w = self.layout
  w:route(channel, w:rect(piece[1], piece[2]), text)
end

-- The sides of a PE that messages which go up (to higher places) leave by and come from, or down.
function Line:sides(direction)
  if direction > 0 then return self.up, self.down end
  return self.down, self.up
end

return lines
