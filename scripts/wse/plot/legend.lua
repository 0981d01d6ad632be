-- The legend: beside the plot or below it, never on it; it takes the room it needs.
local svg = require "wse.plot.svg"
local marks = require "wse.plot.marks"
local ipairs, format, max, min, ceil = ipairs, string.format, math.max, math.min, math.ceil

local kLine, kSample, kSize, kGap = 20, 30, 13, 18
local kInk = "#222222"

local legend = {}

local function label(line)
  if line.missing == 0 then return line.name end
  return format("%s (%d left out)", line.name, line.missing)
end

-- Entries that explain a look, for no series: {name =, line =, marks =, dashed =}.
function legend.keys(given)
  local lines = {}
  for k, key in ipairs(given or {}) do
    lines[k] = {name = key.name, missing = 0, line = key.line, marks = key.marks,
                look = {colour = kInk, shape = "circle", dashes = key.dashed and "7 3" or false}}
  end
  return lines
end

-- Where so many columns begin, and how wide all are together.
local function columns_of(lines, count)
  local rows, lefts, right = ceil(#lines / count), {}, 0
  for first = 1, #lines, rows do
    local widest = 0
    for k = first, min(first + rows - 1, #lines) do
      widest = max(widest, svg.text_width(label(lines[k]), kSize))
    end
    lefts[#lefts + 1] = right
    right = right + kSample + 6 + widest + kGap
  end
  return lefts, right - kGap, rows
end

-- place: "right" or "below"; `width`: what there is below the plot. The result has width, height
-- and the entries.
function legend.new(lines, place, width)
  local self = {lines = lines, place = place}
  local count = place == "right" and 1 or #lines
  repeat
    self.lefts, self.width, self.rows = columns_of(lines, count)
    count = count - 1
  until count < 1 or self.width <= width
  self.height = self.rows * kLine
  return self
end

-- (x, y): its upper left corner.
function legend.draw(self, canvas, x, y)
  for k, line in ipairs(self.lines) do
    local left = x + self.lefts[(k - 1) // self.rows + 1]
    local middle = y + ((k - 1) % self.rows + 0.5) * kLine
    if line.bars then
      canvas:rect(left + 6, middle - 6, kSample - 12, 12, line.look.colour)
    elseif line.line ~= false then
      canvas:polyline({{left, middle}, {left + kSample, middle}}, line.look.colour,
                      line.look.thickness or 1.8, line.look.dashes)
    end
    if line.marks ~= false and not line.bars then
      marks.draw(canvas, left + kSample / 2, middle, line.look)
    end
    canvas:text(left + kSample + 6, middle + 0.35 * kSize, label(line), {size = kSize})
  end
end

return legend
