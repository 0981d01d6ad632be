-- Series that have the same values: none may hide another. Of marks at one place the later ones are rings
-- around the first, and a line that lies on an earlier one is dashed, so that both are seen.
local svg = require "wse.plot.svg"
local ipairs, format, floor, min = ipairs, string.format, math.floor, math.min

local coinciding = {}

local kNear <const> = 1.5    -- pixels between marks that count as one place
local kMost <const> = 6      -- rings
local kDashed <const> = {"7 5", "3 4", "9 3 2 3"}

-- A counter of the marks at each place: count(x, y, line) gives how many of other lines were there before.
function coinciding.marks()
  local seen = {}
  return function(x, y, line)
    local column, row, before = floor(x / kNear + 0.5), floor(y / kNear + 0.5), 0
    for i = column - 1, column + 1 do
      for j = row - 1, row + 1 do
        for _, other in ipairs(seen[format("%d %d", i, j)] or {}) do
          local apart = (other[1] - x) ^ 2 + (other[2] - y) ^ 2
          if other[3] ~= line and apart < kNear * kNear then before = before + 1 end
        end
      end
    end
    local key = format("%d %d", column, row)
    seen[key] = seen[key] or {}
    seen[key][#seen[key] + 1] = {x, y, line}
    return min(before, kMost)
  end
end

local function places(runs)
  local found = {}
  for _, run in ipairs(runs) do
    for k = 2, #run do
      local a, b = run[k - 1], run[k]
      found[#found + 1] = svg.number(a[1]) .. " " .. svg.number(a[2]) .. " " .. svg.number(b[1]) ..
                          " " .. svg.number(b[2])
    end
  end
  return found
end

-- Dashes for a line half of whose pieces lie on a line drawn before, else nothing.
function coinciding.lines()
  local drawn = {}  -- piece -> how many lines have it
  return function(runs)
    local pieces, shared, deepest = places(runs), 0, 0
    for _, piece in ipairs(pieces) do
      local before = drawn[piece] or 0
      shared = shared + (before > 0 and 1 or 0)
      if before > deepest then deepest = before end
    end
    for _, piece in ipairs(pieces) do drawn[piece] = (drawn[piece] or 0) + 1 end
    if #pieces == 0 or 2 * shared < #pieces then return nil end
    return kDashed[(deepest - 1) % #kDashed + 1]
  end
end

return coinciding
