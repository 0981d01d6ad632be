-- A picture of the routes of colours as SVG: a panel for each switch position, a box for each PE, in it
-- for each colour a line from the side that its router takes to those to which it sends:
--
--   filled dot   the PE sends            ring   the PE receives
--   arrow        leaves to that side     line   comes from that side
--
-- Colours run beside each other. Must never show more PEs than a page holds.
local check = require "wse.layout.check"
local host = require "wse.host"
local marks = require "wse.plot.marks"
local svg = require "wse.plot.svg"
local ipairs, format, min, max = ipairs, string.format, math.min, math.max
local number = svg.number

local picture = {}

local kMost <const> = 32       -- PEs in a row or column of the picture
local kCell <const>, kBox <const> = 64, 48
local kMargin <const>, kTitle <const>, kLabel <const> = 12, 28, 11
local kLegend <const> = 22
local kPositions <const> = host.switch_positions
local kSigns <const> = "dot: the PE sends, ring: it receives, arrow: the way on"

-- The points of a box at (x, y): where a line of that colour meets the sides 0..3, and its middle.
local function points_of(x, y, offset)
  local cx, cy = x + kCell / 2, y + kCell / 2
  local low, high = (kCell - kBox) / 2, (kCell + kBox) / 2
  return {[0] = {x + low, cy + offset}, {x + high, cy + offset}, {cx + offset, y + low},
          {cx + offset, y + high}, middle = {cx + offset, cy + offset}}
end

local kOutwards <const> = {[0] = {-1, 0}, {1, 0}, {0, -1}, {0, 1}}

-- An arrow head where a line leaves to a side: 8 long, 8 wide.
local function draw_head(canvas, point, side, colour)
  local x, y, out = point[1], point[2], kOutwards[side]
  local half_x, half_y = 4 * out[2], 4 * out[1]
  canvas:add('<polygon points="%s,%s %s,%s %s,%s" fill="%s"/>', number(x + 8 * out[1]),
             number(y + 8 * out[2]), number(x - half_x), number(y - half_y), number(x + half_x),
             number(y + half_y), colour)
end

local function draw_ring(canvas, point, colour)
  canvas:add('<circle cx="%s" cy="%s" r="4" fill="#ffffff" stroke="%s" stroke-width="1.6"/>',
             number(point[1]), number(point[2]), colour)
end

local function draw_dot(canvas, point, colour)
  canvas:add('<circle cx="%s" cy="%s" r="3.4" fill="%s"/>', number(point[1]), number(point[2]),
             colour)
end

-- One colour at one router.
local function draw_route(canvas, net, at, points, look)
  local from = at.rx ~= net.ramp and points[at.rx]
  if from then canvas:polyline({from, points.middle}, look.colour, 1.8, look.dashes) end
  for side = 0, net.ramp - 1 do
    if at.tx >> side & 1 == 1 then
      canvas:polyline({points.middle, points[side]}, look.colour, 1.8, look.dashes)
      draw_head(canvas, points[side], side, look.colour)
    end
  end
  if at.tx >> net.ramp & 1 == 1 then draw_ring(canvas, points.middle, look.colour) end
  if not from then draw_dot(canvas, points.middle, look.colour) end
end

local function draw_labels(canvas, part, left, top)
  for x = part.x, part.x + part.columns - 1 do
    canvas:text(left + (x - part.x + 0.5) * kCell, top - 4, "" .. x,
                {size = kLabel, anchor = "middle"})
  end
  for y = part.y, part.y + part.rows - 1 do
    canvas:text(left - 6, top + (y - part.y + 0.5) * kCell + 0.35 * kLabel, "" .. y,
                {size = kLabel, anchor = "end"})
  end
end

-- The boxes and routes of one switch position, with their upper left corner at (left, top).
local function draw_panel(canvas, layout, colours, part, position, left, top)
  draw_labels(canvas, part, left, top)
  local gap = min(9, kBox / (#colours + 1))
  for y = part.y, part.y + part.rows - 1 do
    for x = part.x, part.x + part.columns - 1 do
      local box_x, box_y = left + (x - part.x) * kCell, top + (y - part.y) * kCell
      local inset = (kCell - kBox) / 2
      canvas:rect(box_x + inset, box_y + inset, kBox, kBox, "#f4f4f4", "#b0b0b0")
      for k, colour in ipairs(colours) do
        local id = colour.routes.plane:get(x, y)
        local at = id ~= 0 and colour.routes.list[id][position]
        if at then
          local points = points_of(box_x, box_y, (k - (#colours + 1) / 2) * gap)
          draw_route(canvas, layout.net, at, points, marks.look(k, k))
        end
      end
    end
  end
end

-- The names of the colours, in lines of at most `width`; the height that they take.
local function draw_legend(canvas, colours, left, top, width)
  local x, y = left, top
  for k, colour in ipairs(colours) do
    local wide = 34 + svg.text_width(colour.name, 13) + 18
    if x > left and x + wide > left + width then x, y = left, y + kLegend end
    local look = marks.look(k, k)
    canvas:polyline({{x, y + 9}, {x + 28, y + 9}}, look.colour, 1.8, look.dashes)
    canvas:text(x + 34, y + 14, colour.name, {size = 13})
    x = x + wide
  end
  canvas:text(left, y + kLegend + 14, kSigns, {size = kLabel})
  return y + 2 * kLegend - top
end

-- The highest switch position that one of the colours has in that part.
local function positions_of(colours, part)
  local most = 1
  for _, colour in ipairs(colours) do
    for y = part.y, part.y + part.rows - 1 do
      for x = part.x, part.x + part.columns - 1 do
        local id = colour.routes.plane:get(x, y)
        for k = 2, id ~= 0 and kPositions or 1 do
          if colour.routes.list[id][k] then most = max(most, k) end
        end
      end
    end
  end
  return most
end

-- SVG text. part: {x, y, columns, rows}.
local function text_of(layout, colours, part, title)
  local canvas, positions = svg.canvas(), positions_of(colours, part)
  local left, grid = kMargin + 24, part.columns * kCell
  local widest = max(svg.text_width(title, 15), svg.text_width(kSigns, kLabel))
  for _, colour in ipairs(colours) do
    widest = max(widest, 52 + svg.text_width(colour.name, 13))
  end
  local width = max(left + grid, left + widest, 180) + kMargin
  canvas:text(kMargin, kMargin + 13, title, {size = 15, bold = true})
  local top = kMargin + kTitle
  for position = 1, positions do
    if positions > 1 then
      canvas:text(kMargin, top + 12, "switch position " .. position, {size = 13})
      top = top + 16
    end
    top = top + 18
    draw_panel(canvas, layout, colours, part, position, left, top)
    top = top + part.rows * kCell + 10
  end
  top = top + draw_legend(canvas, colours, left, top, width - left - kMargin)
  return canvas:finish(width, top + kMargin)
end

-- Of some colours, from PE (x, y) on; `file` gets it, too. options: file, columns, rows (as many as
-- there are, at most 32), title.
function picture.routes(call, layout, colours, x, y, options)
  local net = layout.net
  if net.is_hypercube then
    host.raise(call .. ": a picture is of a mesh; w:draw(colour) shows a hypercube in text")
  end
  if #colours == 0 then host.raise(call .. ": the layout has no colours to draw") end
  local part = {x = x, y = y}
  part.columns = check.integer(call, "columns", options.columns or min(kMost, net.width - x), 1,
                               min(kMost, net.width - x))
  part.rows = check.integer(call, "rows", options.rows or min(kMost, net.height - y), 1,
                            min(kMost, net.height - y))
  local title = options.title and check.text(call, "the title", options.title)
                or format("routes of %s PEs", net.size)
  local text = text_of(layout, colours, part, title)
  host.write_picture(options.file, text)
  return text
end

return picture
