-- Bars of series side by side at each x, from the foot of the plot. Must never cover another bar.
local ipairs, log, exp, min, huge = ipairs, math.log, math.exp, math.min, math.huge
local sort = table.sort

local kShare <const> = 0.8  -- of the room between two x that bars take

local bars = {}

-- The x of the lines that are bars, ascending, each once.
local function places(lines)
  local found, seen = {}, {}
  for _, line in ipairs(lines) do
    for _, point in ipairs(line.bars and line.points or {}) do
      if point and not seen[point[1]] then
        seen[point[1]] = true
        found[#found + 1] = point[1]
      end
    end
  end
  sort(found)
  return found
end

-- Where the x axis must reach so that the outer bars are within it; nothing without bars.
function bars.ends(lines, logarithmic)
  local found = places(lines)
  if #found == 0 then return nil end
  local gap = huge
  for k = 2, #found do
    gap = min(gap, logarithmic and log(found[k] / found[k - 1]) or found[k] - found[k - 1])
  end
  if gap == huge then gap = logarithmic and log(2) or 1.0 end
  local first, last = found[1], found[#found]
  if logarithmic then return {first / exp(gap / 2), last * exp(gap / 2)} end
  return {first - gap / 2, last + gap / 2}
end

-- Gives each line with bars its `offset` from the x of a point to the middle of its bar, and the
-- `wide` of it, in pixels.
function bars.lay(lines, x_axis)
  local found, count = places(lines), 0
  for _, line in ipairs(lines) do count = count + (line.bars and 1 or 0) end
  if count == 0 then return end
  local gap = huge
  for k = 2, #found do gap = min(gap, x_axis:pixel(found[k]) - x_axis:pixel(found[k - 1])) end
  if gap == huge then gap = (x_axis.last - x_axis.first) / 2 end
  local wide, nth = kShare * gap / count, 0
  for _, line in ipairs(lines) do
    if line.bars then
      line.wide, line.offset = wide, (nth + 0.5 - count / 2) * wide
      nth = nth + 1
    end
  end
end

function bars.draw(canvas, line, x_axis, y_axis)
  local foot = y_axis:pixel(y_axis.log and y_axis.low or 0)
  for _, point in ipairs(line.points) do
    if point then
      local x, y = x_axis:pixel(point[1]) + line.offset, y_axis:pixel(point[2])
      canvas:rect(x - 0.46 * line.wide, min(y, foot), 0.92 * line.wide, y < foot and foot - y or y - foot,
                  line.look.colour)
    end
  end
end

return bars
