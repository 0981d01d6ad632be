-- The frame of a picture: where title, axes, labels and legend are, and how the axes look. The
-- picture grows where the room asked for is too small: nothing is cut off and nothing overlaps.
local svg = require "wse.plot.svg"
local legend = require "wse.plot.legend"
local ipairs, abs, max, min, ceil = ipairs, math.abs, math.max, math.min, math.ceil

local kTitle, kLabel, kTick, kEdge = 16, 14, 12, 12
local kBold = 1.13                  -- how much wider bold letters are
local kInk, kGrid, kFaint = "#222222", "#d5d5d5", "#eeeeee"

local frame = {tick_size = kTick}

local function widest(labels)
  local width = 0
  for _, label in ipairs(labels) do width = max(width, svg.text_width(label, kTick)) end
  return width
end
frame.widest = widest

-- Lays the axis with ticks so few that their labels stand apart; room(k): what label k takes.
local function lay_apart(axis, first, last, count, room)
  repeat
    axis:lay(first, last, count)
    local apart = true
    for k = 2, #axis.major do
      local space = abs(axis:pixel(axis.major[k]) - axis:pixel(axis.major[k - 1]))
      if space < (room(k) + room(k - 1)) / 2 then apart = false end
    end
    count = count - 1
  until apart or count < 1
end

-- Title and x_label, broken into lines.
function frame.lay_title(self)
  local size = kTitle * kBold
  self.title, self.x_label, self.y_label = self.title or "", self.x_label or "", self.y_label or ""
  self.width = max(self.width, svg.word_width(self.title, size) + 2 * kEdge,
                   svg.word_width(self.x_label, kLabel) + 2 * kEdge)
  self.title_lines = svg.wrap(self.title, size, self.width - 2 * kEdge)
  self.x_lines = svg.wrap(self.x_label, kLabel, self.width - 2 * kEdge)
end

-- Lays out what is above, below and beside: sets the box of the plot (left, top, right, bottom), and
-- makes the picture larger if the box were too small.
function frame.lay(self)
  local beside = self.legend and self.legend.place == "right" and self.legend
  local below = self.legend and self.legend.place == "below" and self.legend
  if below then self.width = max(self.width, below.width + 2 * kEdge) end
  frame.lay_title(self)
  self.top = kEdge + #self.title_lines * (kTitle + 6) + 6
  self.under = kTick + 18 + #self.x_lines * (kLabel + 4) + (below and below.height + 8 or 0) + kEdge
  self.height = max(self.height, self.top + 140 + self.under,
                    beside and self.top + beside.height + kEdge or 0)
  self.height = ceil(max(self.height, self.top + svg.word_width(self.y_label, kLabel) + self.under))
  self.bottom = self.height - self.under
  self.y_lines = svg.wrap(self.y_label, kLabel, self.bottom - self.top)
  lay_apart(self.y_axis, self.bottom, self.top, max(4, (self.bottom - self.top) // 48),
            function() return kTick + 5 end)
  self.left = kEdge + #self.y_lines * (kLabel + 4) + 6 + widest(self.y_axis.labels) + 10
  self.left = ceil(self.left)
  local right_room = ceil(beside and beside.width + 16 + kEdge or kEdge + 12)
  self.width = ceil(max(self.width, self.left + 220 + right_room))
  self.right = self.width - right_room
  local spacing = self.x_axis.log and 45 or 65
  lay_apart(self.x_axis, self.left, self.right, max(3, (self.right - self.left) // spacing),
            function(k) return svg.text_width(self.x_axis.labels[k], kTick) + 12 end)
  self.legend_x = beside and self.right + 16 or below and (self.width - below.width) / 2
  self.legend_y = beside and self.top or below and self.height - kEdge - below.height
end

local function draw_x(canvas, self)
  local axis = self.x_axis
  for _, value in ipairs(axis.minor) do
    local x = axis:pixel(value)
    canvas:line(x, self.bottom, x, self.bottom + 3, kInk, 0.8)
  end
  for k, value in ipairs(axis.major) do
    local x = axis:pixel(value)
    canvas:line(x, self.top, x, self.bottom, kGrid, 0.8)
    canvas:line(x, self.bottom, x, self.bottom + 6, kInk, 1)
    canvas:text(x, self.bottom + 8 + kTick, axis.labels[k], {size = kTick, anchor = "middle"})
  end
end

local function draw_y(canvas, self)
  local axis = self.y_axis
  for _, value in ipairs(axis.minor) do
    local y = axis:pixel(value)
    canvas:line(self.left, y, self.right, y, kFaint, 0.8)
    canvas:line(self.left - 3, y, self.left, y, kInk, 0.8)
  end
  for k, value in ipairs(axis.major) do
    local y = axis:pixel(value)
    canvas:line(self.left, y, self.right, y, kGrid, 0.8)
    canvas:line(self.left - 6, y, self.left, y, kInk, 1)
    canvas:text(self.left - 9, y + 0.35 * kTick, axis.labels[k], {size = kTick, anchor = "end"})
  end
end

function frame.draw_title(canvas, lines, middle)
  for k, line in ipairs(lines) do
    canvas:text(middle, kEdge + k * (kTitle + 6) - 6, line,
                {size = kTitle, anchor = "middle", bold = true})
  end
end

-- Labels of the axes: that of y upward along the left edge, that of x below `labels_from`, if this is
-- not the lower side of the plot.
function frame.draw_labels(canvas, self)
  local middle = (self.left + self.right) / 2
  local top = (self.labels_from or self.bottom) + 18 + kTick
  for k, line in ipairs(self.x_lines) do
    local half = svg.text_width(line, kLabel) / 2
    local x = max(half + kEdge, min(middle, self.width - kEdge - half))
    canvas:text(x, top + k * (kLabel + 4) - 4, line, {size = kLabel, anchor = "middle"})
  end
  for k, line in ipairs(self.y_lines) do
    canvas:text(kEdge + k * (kLabel + 4) - 4, (self.top + self.bottom) / 2, line,
                {size = kLabel, anchor = "middle", upward = true})
  end
end

function frame.draw(canvas, self)
  draw_x(canvas, self)
  draw_y(canvas, self)
  canvas:rect(self.left, self.top, self.right - self.left, self.bottom - self.top, "none", kInk)
  frame.draw_title(canvas, self.title_lines, self.width / 2)
  frame.draw_labels(canvas, self)
end

return frame
