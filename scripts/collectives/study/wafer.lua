-- What the published times of figures 11 to 13 hold beside the collective: they were taken on a CS-2 by
-- the clock method (lib/clock.lua). 57 cycles are the start skew that the authors accepted on a row, 29
-- two time stamps; 0.75 for each PE of the row, on a grid of the row and the column, are what is left
-- when the published speed-ups and errors are compared with runs of their programs. Nobody has proved
-- what they are. The ping-pong of the broadcast is timed by one PE's clock and holds none of it.
local wafer = {}

local kOnce <const> = 57 + 29
local kEachPe <const> = 0.75

-- Cycles to add to a run on a row of `width` PEs, or a grid.
function wafer.cycles(width, height)
  return kOnce + kEachPe * (height == 1 and width or width + height)
end

-- The rows of points.of_panel as measured on the wafer: {[pattern] = {[k] = row}}.
function wafer.rows(panel, found)
  if panel.collective == "broadcast" then return found end
  local shifted = {}
  for name, rows in pairs(found) do
    shifted[name] = {}
    for k, row in pairs(rows) do
      local copy = {}
      for field, value in pairs(row) do copy[field] = value end
      copy.cycles = row.cycles + wafer.cycles(row.width, row.height)
      shifted[name][k] = copy
    end
  end
  return shifted
end

return wafer
