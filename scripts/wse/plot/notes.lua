-- Notes: a text beside a point of the plot, where it covers the least of the data and no other note; a
-- thin line leads from the point to it.
local host = require "wse.host"
local svg = require "wse.plot.svg"
local ipairs, format, abs, max, min, huge = ipairs, string.format, math.abs, math.max, math.min, math.huge

local kSize <const> = 12
local kInk <const> = "#222222"
local kStep <const> = 4  -- pixels between two points of a line that are looked at

local notes = {}

-- Points of the plot that a text would cover: marks, corners, and some between.
function notes.obstacles(runs)
  local found = {}
  for _, run in ipairs(runs) do
    for k, point in ipairs(run) do
      found[#found + 1] = point
      local before = run[k - 1]
      local far = before and max(abs(point[1] - before[1]), abs(point[2] - before[2])) or 0
      for i = 1, far // kStep do
        local part = i * kStep / far
        found[#found + 1] = {before[1] + part * (point[1] - before[1]),
                             before[2] + part * (point[2] - before[2])}
      end
    end
  end
  return found
end

local function covered(box, points)
  local count = 0
  for _, point in ipairs(points) do
    if point[1] > box[1] - 3 and point[1] < box[3] + 3 and point[2] > box[2] - 3 and
       point[2] < box[4] + 3 then
      count = count + 1
    end
  end
  return count
end

local function meets(box, others)
  for _, other in ipairs(others) do
    if box[1] < other[3] + 4 and other[1] < box[3] + 4 and box[2] < other[4] + 2 and
       other[2] < box[4] + 2 then
      return true
    end
  end
  return false
end

local kWays <const> = {{0, -1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {1, 1}, {-1, 1}}

-- The box of a text of that size which is `far` away from the point.
local function box_at(x, y, wide, way, far)
  local left = x + way[1] * far + (way[1] - 1) * wide / 2
  local top = y + way[2] * far + (way[2] - 1) * kSize / 2
  return {left, top, left + wide, top + kSize}
end

local function best_box(x, y, wide, frame, points, placed)
  local best, least = nil, huge
  for far = 10, 190, 12 do
    for _, way in ipairs(kWays) do
      local box = box_at(x, y, wide, way, far)
      local fits = box[1] >= frame.left + 3 and box[3] <= frame.right - 3 and
                   box[2] >= frame.top + 3 and box[4] <= frame.bottom - 3
      local cost = fits and far + 8 * covered(box, points) or huge
      if cost < least and not meets(box, placed) then best, least = box, cost end
    end
  end
  return best
end

-- `frame`: of the picture (frame.lua); each note has x, y in pixels, and text.
function notes.draw(canvas, list, frame, points)
  local placed = {}
  for k, note in ipairs(list) do
    local wide = svg.text_width(note.text, kSize)
    local box = best_box(note.x, note.y, wide, frame, points, placed)
    if not box then
      host.raise(format("wse.plot: notes[%d]: no room for '%s'; a larger picture has some", k,
                        note.text))
    end
    placed[#placed + 1] = box
    local near_x = max(box[1], min(box[3], note.x))
    local near_y = max(box[2], min(box[4], note.y))
    canvas:line(note.x, note.y, near_x, near_y, kInk, 0.7)
    canvas:text(box[1], box[4] - 0.15 * kSize, note.text, {size = kSize})
  end
end

return notes
