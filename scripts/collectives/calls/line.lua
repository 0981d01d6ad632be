-- Lines of PEs of a rectangle: all its rows or all its columns at once, which do the same. A place is the
-- number of a PE on its line. Must never know what is sent.
local roles = require "collectives.calls.roles"
local ipairs, pairs, setmetatable, format = ipairs, pairs, setmetatable, string.format
local max, min = math.max, math.min

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

-- Sets the routes of a message from one place to another one.
function Line:way(channel, from, to)
  local home, away = self:sides(to > from and 1 or -1)
  self:route(channel, from, from, "ramp -> " .. home)
  self:route(channel, min(from, to) + 1, max(from, to) - 1, format("%s -> %s", away, home))
  self:route(channel, to, to, away .. " -> ramp")
end

-- The sides of a PE that messages which go up (to higher places) leave by and come from, or down.
function Line:sides(direction)
  if direction > 0 then return self.up, self.down end
  return self.down, self.up
end

-- The width and height of a rectangle.
function lines.sizes(rect) return rect[1][2] - rect[1][1] + 1, rect[2][2] - rect[2][1] + 1 end

-- Whether two roles of one text have the same colours.
local function same_colours(a, b)
  for slot, channel in pairs(a.colours) do
    if b.colours[slot] ~= channel then return false end
  end
  return true
end

-- How many places from `place` on, `step` apart, do the same, with numbers that rise by the same from each to the next.
local function run_length(made, place, step)
  local first, second = made[place], made[place + step]
  local count = 1
  while made[place + count * step] do
    local role = made[place + count * step]
    if role.whole_text ~= first.whole_text or not same_colours(first, role) then break end
    for slot, number in pairs(first.numbers) do
      if role.numbers[slot] - number ~= count * (second.numbers[slot] - number) then return count end
    end
    count = count + 1
  end
  return count
end

-- Numbers of a run of places as expressions of the coordinate.
local function numbers_of_run(line, made, place, step)
  local found = {}
  for slot, number in pairs(made[place].numbers) do
    local rise = (made[place + step].numbers[slot] - number)
    if rise == 0 then found[slot] = number
    elseif step == 1 then found[slot] = format("%d * %s + %d", rise, line.axis, number - rise * (line.first + place))
    else found[slot] = format("%d * ((%s - %d) / %d) + %d", rise, line.axis, line.first + place, step, number) end
  end
  return found
end

-- The cells of a line, whose places have the roles role_at(place): places that do the same are a cell, whose numbers
-- are expressions of the coordinate, so that long lines take few statements.
function lines.cells(line, role_at)
  local cells, made = {}, {}
  for place = 0, line.size - 1 do
    made[place] = role_at(place)
    made[place].whole_text = made[place]:text()
  end
  for place = 0, line.size - 1 do
    if made[place] then
      local step = 1
      local count = run_length(made, place, 1)
      local by_twos = run_length(made, place, 2)
      if by_twos > count then step, count = 2, by_twos end
      local role, last = made[place], place + (count - 1) * step
      if count > 1 then
        local numbers = numbers_of_run(line, made, place, step)
        role = setmetatable({numbers = numbers}, {__index = made[place], __metatable = false})
      end
      cells[#cells + 1] = {pieces = {line:piece(place, last, step)}, role = role}
      for at = place, last, step do made[at] = nil end
    end
  end
  return cells
end

-- The cells of a rectangle, whose PEs do what parts_at(x, y) lists, one after the other.
function lines.grid_cells(rect, parts_at)
  local cells, width, height = {}, lines.sizes(rect)
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      local role, column, row = roles.make(), rect[1][1] + x, rect[2][1] + y
      for _, part in ipairs(parts_at(x, y)) do role:append(part) end
      cells[#cells + 1] = {pieces = {{{column, column, 1}, {row, row, 1}}}, role = role}
    end
  end
  return cells
end

-- The line of a request that has lines, or whose rectangle is one; else nothing.
function lines.of_request(request, rect)
  local along, width, height = request.along, lines.sizes(rect)
  if not along and width > 1 and height > 1 then return nil end
  return lines.make(request.layout, rect, (along == "rows" or not along and height == 1) and "x" or "y")
end

return lines
