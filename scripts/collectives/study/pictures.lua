-- The picture of a panel: simulated points, and the model's curve of each pattern in its colour;
-- where a pattern was not run its curve continues with dashes. Chain and Auto-Gen as measured on the wafer
-- are dotted lines above their points. The star, many times slower than the others, leaves the picture:
-- the legend says how many of its points are not in it. As wide as a column of a paper.
local figures = require "collectives.figures"
local points = require "collectives.study.points"
local series = require "collectives.study.series"
local wafer = require "collectives.study.wafer"
local wse = require "wse"

local pictures = {}

local function add_points(lines, name, panel, rows)
  local line = {name = name, x = {}, y = {}, number = series.number(name), line = false}
  for k, value in ipairs(panel.values) do
    if rows[k] then
      line.x[#line.x + 1], line.y[#line.y + 1] = value, rows[k].cycles
    end
  end
  if #line.x > 0 then lines[#lines + 1] = line end
end

-- Returns {low, high} of the picture: the cycles of all but the star, if there are others, and some room;
-- nothing where none was run.
local function range_of(found, names)
  local low, high = math.huge, 0
  for _, name in ipairs(names) do
    for _, row in pairs((name ~= "star" or #names == 1) and found[name] or {}) do
      low, high = math.min(low, row.cycles, row.model), math.max(high, row.cycles, row.model)
    end
  end
  return high > 0 and {0.8 * low, 2 * high} or nil
end

-- The model's curve over values first .. last, up to `most` cycles.
local function add_curve(lines, name, panel, machine, first, last, most, dashed, listed)
  local line = {name = name, x = {}, y = {}, number = series.number(name), marks = false,
                dashed = dashed, listed = listed or false}
  local sizes = points.sizes(panel)
  for k = first, last do
    local cycles = series.model(name, panel.collective, sizes[k], machine)
    if not cycles then return end
    if cycles <= most then
      line.x[#line.x + 1], line.y[#line.y + 1] = panel.values[k], cycles
    end
  end
  if #line.x > 1 then lines[#lines + 1] = line end
end

-- The runs of a pattern and what the wafer adds (wafer.lua).
local function add_wafer(lines, name, panel, rows, number)
  local line = {name = name .. ", wafer", x = {}, y = {}, number = number, marks = false,
                dashed = true}
  for k, value in ipairs(panel.values) do
    if rows[k] then line.x[#line.x + 1], line.y[#line.y + 1] = value, rows[k].cycles end
  end
  if #line.x > 1 then lines[#lines + 1] = line end
end

local function last_run(panel, rows)
  local last = 0
  for k = 1, #panel.values do
    if rows[k] then last = k end
  end
  return last
end

-- The panel over all values that are drawn, of which only panel.values are run.
local function drawn_panel(panel)
  local copy = {}
  for name, value in pairs(panel) do copy[name] = value end
  copy.values = panel.drawn or panel.values
  return copy
end

-- Fields of wse.plot; options: machine, code.
function pictures.fields(panel, rows, options)
  panel = drawn_panel(panel)
  local lines, found = {}, points.of_panel(panel, rows, options.code)
  local names = points.names(panel)
  local range = range_of(found, names)
  local function curve(name, first, last, dashed, listed)
    add_curve(lines, name, panel, options.machine, first, last, range and range[2] or math.huge, dashed,
              listed)
  end
  for _, name in ipairs(names) do
    local last = last_run(panel, found[name] or {})
    curve(name, 1, last)
    curve(name, math.max(last, 1), #panel.values, true, last == 0)
  end
  for _, name in ipairs(names) do add_points(lines, name, panel, found[name] or {}) end
  local on_wafer = wafer.rows(panel, found)
  for _, name in ipairs{"chain", "auto-gen"} do
    add_wafer(lines, name, panel, on_wafer[name] or {}, series.number(name))
  end
  local styles = {}
  local keys = {{name = "points: run", line = false}, {name = "lines: model", marks = false}}
  if panel.drawn then keys[3] = {name = "dashed: not run", marks = false, dashed = true} end
  for _, line in ipairs(lines) do
    if line.name:find(", wafer$") then styles[line.name] = {dash = "dotted"} end
  end
  local by_length = panel.over == "B"
  return {
    title = ("(%s) %s"):format(panel.name:match "%d+(%a)" or panel.name, panel.title), log = "xy",
    lines = lines, y_range = range, width = 440, height = 400, legend = "below", styles = styles,
    x_label = by_length and figures.words_label or panel.grid and "PEs on a side" or "PEs",
    x_ticks = by_length and figures.words_ticks or nil, y_label = "cycles",
    keys = keys}
end

return pictures
