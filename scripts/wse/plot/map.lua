-- The parts of a heat map: squares, axes with PE numbers, colour bar. The facts about it
-- are in one table that wse.heat_map makes; `lay` adds where everything is.
local svg = require "wse.plot.svg"
local frame = require "wse.plot.frame"
local colour_scale = require "wse.plot.colour_scale"
local region_names = require "wse.plot.region_names"
local ipairs, format, floor, ceil = ipairs, string.format, math.floor, math.ceil
local max, min = math.max, math.min

local kTick, kEdge, kBar, kInk = frame.tick_size, 12, 16, "#222222"

local map = {}

-- PE numbers along one side: the middles of the cells of round numbers.
local function pe_ticks(first, count, block, pixels)
  local step = 1
  local room = max(2, pixels // 45)
  while count / step > room do
    for _, factor in ipairs{2, 5, 10} do
      if count / (step * factor) <= room or factor == 10 then
        step = step * factor
        break
      end
    end
  end
  local found = {}
  for pe = -(-first // step) * step, first + count - 1, step do
    found[#found + 1] = {text = format("%d", pe), at = ((pe - first) + 0.5) / block}
  end
  return found
end

-- Texts that a user gives, one for each cell; so many of them that they are apart.
local function own_ticks(texts, pixels, across)
  if not texts then return nil end
  local widest = 0
  for _, text in ipairs(texts) do widest = max(widest, svg.text_width(text, kTick)) end
  local room = across and widest + 8 or kTick + 5
  local every = max(1, ceil(room * #texts / pixels))
  local found = {}
  for k = 1, #texts, every do found[#found + 1] = {text = texts[k], at = k - 0.5} end
  return found
end

local function labels_of(ticks)
  local labels = {}
  for k, tick in ipairs(ticks) do labels[k] = tick.text end
  return labels
end

local function lay_grid(self)
  local grid = self.grid
  local least = self.numbers and max(24, self.numbers.widest + 8) or 2
  self.cell = floor(max(least, min(60, self.size / max(grid.columns, grid.rows))))
  self.across, self.down = grid.columns * self.cell, grid.rows * self.cell
  self.x_ticks = own_ticks(self.own_x, self.across, true)
                 or pe_ticks(grid.x0, grid.width, grid.block, self.across)
  self.y_ticks = own_ticks(self.own_y, self.down, false)
                 or pe_ticks(grid.y0, grid.height, grid.block, self.down)
  if self.regions and not self.numbers then
    self.names = region_names.lay(self.regions, grid, self.cell)
  end
  self.note = self.names and self.names.key or ""
  if grid.block > 1 then
    self.note = format("each square: the mean of %d x %d PEs", grid.block, grid.block)
  end
end

-- Heights that do not depend on widths: those of the bar, whose ticks say how wide it is.
local function lay_bar(self)
  self.bar = max(self.down, 150, svg.word_width(self.label, 14)) - (self.missing and 30 or 0)
  self.values:lay(self.bar, 0, max(3, self.bar // 32))
  self.label_lines = svg.wrap(self.label, 14, self.bar)
  self.bar_room = 20 + kBar + 8 + max(frame.widest(self.values.labels) + #self.label_lines * 18 + 4,
                                        self.missing and 60 or 0)
end

function map.lay(self)
  lay_grid(self)
  lay_bar(self)
  self.left = kEdge + 24 + frame.widest(labels_of(self.y_ticks)) + 10
  self.width = max(self.left + self.across + self.bar_room,
                   self.left + svg.word_width(self.note, kTick), 240) + kEdge
  frame.lay_title(self)
  self.y_lines = svg.wrap(self.y_label, 14, max(self.down, 150))
  self.left = ceil(self.left + max(0, #self.y_lines - 1) * 18)
  self.width = ceil(self.width + max(0, #self.y_lines - 1) * 18) + 1
  self.top = kEdge + #self.title_lines * 22 + 8
  self.right, self.bottom = self.left + self.across, self.top + self.down
  self.label_x = self.right + 20 + kBar + 8 + frame.widest(self.values.labels)
  local bar_end = self.top + self.bar + (self.missing and 34 or 0)
  self.labels_from = max(self.bottom, bar_end - 24)
  self.foot = self.labels_from + 18 + kTick + #self.x_lines * 18
  self.foot = max(self.foot, bar_end)
  self.note_lines = svg.wrap(self.note, kTick, self.width - self.left - kEdge)
  self.height = ceil(self.foot + #self.note_lines * (kTick + 4) + (#self.note_lines > 0 and 4 or 0)) + kEdge
  self.values:lay(self.top + self.bar, self.top, max(3, self.bar // 32))
end

-- Equal neighbours in a row are one rectangle.
local function draw_cells(canvas, self)
  canvas:add('<g shape-rendering="crispEdges">')
  for row = 0, self.grid.rows - 1 do
    local first = 0
    for column = 1, self.grid.columns do
      local here, start = row * self.grid.columns, first
      if column == self.grid.columns or
         self.colours[here + column + 1] ~= self.colours[here + start + 1] then
        canvas:rect(self.left + start * self.cell, self.top + row * self.cell,
                    (column - start) * self.cell, self.cell, self.colours[here + start + 1])
        first = column
      end
    end
  end
  canvas:add("</g>")
end

-- Lines between neighbours of different regions.
local function draw_borders(canvas, self)
  local columns, names = self.grid.columns, self.regions
  local function edge(k, other, x1, y1, x2, y2)
    if names[k] == names[other] then return end
    canvas:line(self.left + x1 * self.cell, self.top + y1 * self.cell, self.left + x2 * self.cell,
                self.top + y2 * self.cell, "#ffffff", 3)
    canvas:line(self.left + x1 * self.cell, self.top + y1 * self.cell, self.left + x2 * self.cell,
                self.top + y2 * self.cell, kInk, 1.4)
  end
  for k = 1, names and #names or 0 do
    local column, row = (k - 1) % columns, (k - 1) // columns
    if column > 0 then edge(k, k - 1, column, row, column, row + 1) end
    if row > 0 then edge(k, k - columns, column, row, column + 1, row) end
  end
end

local function draw_numbers(canvas, self)
  for k, text in ipairs(self.numbers or {}) do
    local column, row = (k - 1) % self.grid.columns, (k - 1) // self.grid.columns
    local x, y = self.left + (column + 0.5) * self.cell, self.top + (row + 0.5) * self.cell
    local dark = colour_scale.is_dark(self.colours[k])
    canvas:text(x, y + 0.35 * kTick, text,
                {size = kTick, anchor = "middle", fill = dark and "#ffffff" or "#000000"})
  end
end

local function draw_axes(canvas, self)
  for _, tick in ipairs(self.x_ticks) do
    local x = self.left + tick.at * self.cell
    canvas:line(x, self.bottom, x, self.bottom + 5, kInk, 1)
    canvas:text(x, self.bottom + 8 + kTick, tick.text, {size = kTick, anchor = "middle"})
  end
  for _, tick in ipairs(self.y_ticks) do
    local y = self.top + tick.at * self.cell
    canvas:line(self.left - 5, y, self.left, y, kInk, 1)
    canvas:text(self.left - 8, y + 0.35 * kTick, tick.text, {size = kTick, anchor = "end"})
  end
  canvas:rect(self.left, self.top, self.right - self.left, self.bottom - self.top, "none",
              kInk)
end

local function draw_bar(canvas, self)
  local x, top, bottom = self.right + 20, self.top, self.top + self.bar
  local steps = min(128, floor(bottom - top))
  canvas:add('<g shape-rendering="crispEdges">')
  for k = 0, steps - 1 do
    local y = top + (bottom - top) * k / steps
    canvas:rect(x, y, kBar, bottom - y, self.scale(1 - (k + 0.5) / steps))
  end
  canvas:add("</g>")
  canvas:rect(x, top, kBar, bottom - top, "none", kInk)
  for k, value in ipairs(self.values.major) do
    local y = self.values:pixel(value)
    canvas:line(x + kBar, y, x + kBar + 5, y, kInk, 1)
    canvas:text(x + kBar + 8, y + 0.35 * kTick, self.values.labels[k], {size = kTick})
  end
  for k, line in ipairs(self.label_lines) do
    canvas:text(self.label_x + k * 18, (top + bottom) / 2, line,
                {size = 14, anchor = "middle", upward = true})
  end
  if self.missing then
    canvas:rect(x, bottom + 14, kBar, kBar, self.missing_colour, kInk)
    canvas:text(x + kBar + 8, bottom + 14 + 12, "no value", {size = kTick})
  end
end

function map.draw(canvas, self)
  draw_cells(canvas, self)
  draw_borders(canvas, self)
  draw_numbers(canvas, self)
  if self.names then region_names.draw(canvas, self.names, self.left, self.top, self.cell) end
  draw_axes(canvas, self)
  draw_bar(canvas, self)
  frame.draw_title(canvas, self.title_lines, self.width / 2)
  frame.draw_labels(canvas, self)
  for k, line in ipairs(self.note_lines) do
    canvas:text(self.left, self.foot + k * (kTick + 4), line, {size = kTick})
  end
end

return map
