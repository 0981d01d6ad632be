-- The points of a study: panels of a figure, each a collective over lengths or over sizes,
-- simulated in parallel with one CSV file, which a later start continues with.
local broadcast = require "collectives.broadcast"
local reduce = require "collectives.reduce"
local allreduce = require "collectives.allreduce"
local series = require "collectives.study.series"
local wse = require "wse"

local points = {}

local libraries = {reduce = reduce, allreduce = allreduce}

local order = {"machine", "code", "collective", "pattern", "width", "height", "B"}

-- 1, 2, 4 ... up to `last`, from `first`.
function points.powers(first, last)
  local list = {}
  while first <= last do
    list[#list + 1] = first
    first = 2 * first
  end
  return list
end

-- The sizes of a panel: {width =, height =, B =} for each of panel.values. A panel is {name =,
-- collective =, over = "B" or "P", values =, size = PEs in a row or on a side, B =, grid = flag,
-- names = list of series, else all}.
function points.sizes(panel)
  local list = {}
  for k, value in ipairs(panel.values) do
    local P = panel.over == "P" and value or panel.size
    local B = panel.over == "B" and value or panel.B
    list[k] = {width = P, height = panel.grid and P or 1, B = B}
  end
  return list
end

-- The names of the series of a panel.
function points.names(panel)
  return panel.names or series.of(panel.collective, panel.grid)
end

local function add(list, known, panel, options, names)
  for _, name in ipairs(names) do
    for _, size in ipairs(points.sizes(panel)) do
      local key = table.concat({options.code, panel.collective, name, size.width, size.height,
                                size.B}, " ")
      if series.is_run(name, size) and not known[key] then
        known[key] = true
        list[#list + 1] = {machine = options.label, code = options.code,
                           collective = panel.collective, pattern = name, width = size.width,
                           height = size.height, B = size.B}
      end
    end
  end
end

local function run_broadcast(p, size, machine)
  return broadcast.run{P = size.P, width = size.width, height = size.height, B = p.B,
                       pattern = p.code == "paper" and "ping-pong" or "flood", machine = machine}
end

local function run_reduce(p, size, machine)
  local pattern, planner = series.options(p.pattern, size.P == nil)
  return libraries[p.collective].run{
    P = size.P, width = size.width, height = size.height, B = p.B, pattern = pattern,
    planner = planner, code = p.pattern ~= "ring" and p.code or nil, machine = machine}
end

-- Runs one point; `machine` as of wse.run. The sum that it leaves must be exact.
function points.run(p, machine)
  local size = p.height == 1 and {P = p.width} or {width = p.width, height = p.height}
  local run = p.collective == "broadcast" and run_broadcast or run_reduce
  local result = run(p, size, machine)
  if result.max_abs_error ~= 0 then
    error(("%s %s: the result is wrong by %g"):format(p.pattern, p.collective,
                                                      result.max_abs_error))
  end
  return {cycles = result.cycles, model = result.model_cycles + 0.0,
          lower_bound = result.lower_bound_cycles + 0.0, colours = result.colours}
end

-- The rows of all panels: points with their results. options: machine as of wse.run, label = its
-- name in the rows, code, file, title, and `other_code`, with which chain and Auto-Gen of the
-- reduces are run too.
function points.rows(panels, options)
  local list, known = {}, {}
  for _, panel in ipairs(panels) do add(list, known, panel, options, points.names(panel)) end
  if options.other_code then
    for _, panel in ipairs(panels) do
      if panel.collective == "reduce" and panel.over == "B" then
        add(list, known, panel, {label = options.label, code = options.other_code},
            {"chain", "auto-gen", "auto-gen-profile"})
      end
    end
  end
  if #list == 0 then return {} end
  local function run(p) return points.run(p, options.machine) end
  return wse.sweep{points = list, order = order, run = run, csv = options.file,
                   title = options.title}
end

-- Rows of a panel in the order of its values: {[pattern] = {[k] = row}}.
function points.of_panel(panel, rows, code)
  local place, found = {}, {}
  for k, size in ipairs(points.sizes(panel)) do
    place[size.width .. " " .. size.height .. " " .. size.B] = k
  end
  for _, row in ipairs(rows) do
    local k = place[row.width .. " " .. row.height .. " " .. row.B]
    if k and row.collective == panel.collective and row.code == code then
      found[row.pattern] = found[row.pattern] or {}
      found[row.pattern][k] = row
    end
  end
  return found
end

return points
