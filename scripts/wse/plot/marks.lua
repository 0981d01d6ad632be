-- How series are told apart: colours that colour-blind readers tell apart too (Okabe and Ito 2008,
-- without the yellow, which is faint on white), shapes, and dashes.
local svg = require "wse.plot.svg"
local ipairs, concat, format, max, ceil = ipairs, table.concat, string.format, math.max, math.ceil

local kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}
local kDashes = {false, "7 3", "2 3", "9 3 2 3"}

-- Corners in units of the radius, clockwise.
local kShapes = {
  "circle",
  {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}},
  {{0, -1.2}, {1.1, 0.8}, {-1.1, 0.8}},
  {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}},
  {{-1.1, -0.8}, {1.1, -0.8}, {0, 1.2}},
  {{-0.4, -1.2}, {0.4, -1.2}, {0.4, -0.4}, {1.2, -0.4}, {1.2, 0.4}, {0.4, 0.4}, {0.4, 1.2},
   {-0.4, 1.2}, {-0.4, 0.4}, {-1.2, 0.4}, {-1.2, -0.4}, {-0.4, -0.4}},
  {{-1.2, 0}, {0.8, -1.1}, {0.8, 1.1}},
  {{0, -1.2}, {1.15, -0.35}, {0.7, 1}, {-0.7, 1}, {-1.15, -0.35}},
  {{1.2, 0}, {-0.8, -1.1}, {-0.8, 1.1}},
}

local kShapeNumbers = {circle = 1, square = 2, triangle = 3, diamond = 4, down = 5, plus = 6, left = 7,
                       pentagon = 8, right = 9}
local kDashNumbers = {solid = 1, dashed = 2, dotted = 3, ["dash-dot"] = 4}

local marks = {radius = 3.6, most = 60}

-- The look of series k, from 1, whose colour is that of number `number`: 63 pairs of a colour and
-- a shape, if these are the same.
function marks.look(k, number, dashed)
  local round = (number - 1) // #kColours
  if dashed then round = round + 1 end
  return {colour = kColours[(number - 1) % #kColours + 1], shape = kShapes[(k - 1) % #kShapes + 1],
          dashes = kDashes[round % #kDashes + 1]}
end

-- The names that a style may have.
marks.shapes, marks.dashes = kShapeNumbers, kDashNumbers

-- The look with what a style of the user says: {colour =, mark =, dash =, thickness =}.
function marks.styled(look, style)
  if not style then return look end
  return {colour = style.colour or look.colour,
          shape = style.mark and kShapes[kShapeNumbers[style.mark]] or look.shape,
          dashes = style.dash and kDashes[kDashNumbers[style.dash]] or not style.dash and look.dashes,
          thickness = style.thickness}
end

-- A ring around what has been drawn there, the `nth`.
function marks.ring(canvas, x, y, look, nth)
  canvas:add('<circle cx="%s" cy="%s" r="%s" fill="none" stroke="%s" stroke-width="1.4"/>',
             svg.number(x), svg.number(y), svg.number(marks.radius + 1.8 * nth), look.colour)
end

function marks.draw(canvas, x, y, look)
  if look.shape == "circle" then
    canvas:add('<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="#ffffff" stroke-width="0.6"/>',
               svg.number(x), svg.number(y), svg.number(marks.radius), look.colour)
    return
  end
  local corners = {}
  for k, corner in ipairs(look.shape) do
    corners[k] = svg.number(x + corner[1] * marks.radius) .. "," ..
                 svg.number(y + corner[2] * marks.radius)
  end
  canvas:add('<polygon points="%s" fill="%s" stroke="#ffffff" stroke-width="0.6"/>',
             concat(corners, " "), look.colour)
end

-- Every how manieth of `count` points has a mark: all of few, about 12 of many.
function marks.every(count)
  return count <= marks.most and 1 or max(1, ceil(count / 12))
end

return marks
