-- The legend: beside the plot or below it, never on it; it takes the room it needs.
local svg = require "wse.plot.svg"
local marks = require "wse.plot.marks"
local ipairs, format, max, ceil = ipairs, string.format, math.max, math.ceil

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

-- place: "right" or "below"; `width`: what there is below the plot. The result has width, height
-- and the entries.
function legend.new(lines, place, width)
  local widest = 0
  for _, line in ipairs(lines) do widest = max(widest, svg.text_width(label(line), kSize)) end
  local self = {lines = lines, place = place, cell = kSample + 6 + widest + kGap}
  self.columns = place == "right" and 1 or max(1, (width + kGap) // self.cell)
  self.rows = ceil(#lines / self.columns)
  self.columns = ceil(#lines / self.rows)
  self.width = self.columns * self.cell - kGap
  self.height = self.rows * kLine
  return self
end

-- (x, y): its upper left corner.
function legend.draw(self, canvas, x, y)
  for k, line in ipairs(self.lines) do
    local left = x + (k - 1) // self.rows * self.cell
    local middle = y + ((k - 1) % self.rows + 0.5) * kLine
    if line.line ~= false then
      canvas:polyline({{left, middle}, {left + kSample, middle}}, line.look.colour, 1.8,
                      line.look.dashes)
    end
    if line.marks ~= false then marks.draw(canvas, left + kSample / 2, middle, line.look) end
    canvas:text(left + kSample + 6, middle + 0.35 * kSize, label(line), {size = kSize})
  end
end

return legend
