-- Draws what scaling.sh has measured: csv=FILE svg=FILE.
local wse = require "wse"

local kShares = {{1, "all PEs work"}, {0.0625, "one PE of 16 works, in a corner"}}

-- A line for each transport and number of threads, of the rows in which that share of the PEs works.
local function lines_of(rows, share)
  local lines, named = {}, {}
  for _, row in ipairs(rows) do
    if row.working == share then
      local name = string.format("%s, %d thread%s", row.transport, row.threads,
                                 row.threads > 1 and "s" or "")
      if not named[name] then
        named[name] = {name = name, x = {}, y = {}}
        lines[#lines + 1] = named[name]
      end
      local line = named[name]
      line.x[#line.x + 1], line.y[#line.y + 1] = row.side * row.side, row.rate
    end
  end
  return lines
end

local rows, panels = wse.read_csv(wse.argument("csv")), {}
for k, share in ipairs(kShares) do
  panels[k] = {title = share[2], lines = lines_of(rows, share[1]), log = "xy",
               x_label = "PEs of the mesh", y_label = "PE-cycles/s", legend = "below"}
end
wse.plot{panels = panels, columns = 2, file = wse.argument("svg")}
