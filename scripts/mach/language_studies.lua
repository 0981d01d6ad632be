-- What the programs of the language cost on the virtual wafer, as tables and pictures:
--   wsevm run scripts/mach/language_studies.lua out=out most=32
-- mach-elements: cycles per element and memory over nz, fused and not; mach-scaling: heat and cg on
-- 8 x 8 workers up to most x most. rows=DIR takes the tables of an earlier start.
local wse = require "wse"
local problems = {}
for _, name in ipairs{"slices", "unstructured", "heat", "cg", "ising", "flow", "particles"} do
  problems[name] = require("mach.problems." .. name)
end

local out, rows_from = wse.argument("out", "out"), wse.argument("rows", "")
local most = wse.argument("most", 32)
wse.no_more_arguments()

local function csv(name)
  local file = out .. "/" .. name .. ".csv"
  if rows_from ~= "" then wse.write_text(file, wse.read_text(rows_from .. "/" .. name .. ".csv")) end
  return file
end

-- Few steps: what is told is per step and element.
local kShort = {heat = {steps = 5}, flow = {steps = 5}, ising = {sweeps = 4, warmup = 1},
                particles = {steps = 6}, unstructured = {steps = 2}, cg = {most = 6}, slices = {}}

local function measured(point)
  local options = {width = point.width, height = point.width, nz = point.nz, fuse = point.fuse}
  local name, method = point.program, nil
  if name == "cg pipelined" then name, method = "cg", "pipelined" end
  for key, value in pairs(kShort[name]) do options[key] = value end
  options.method = method
  local found = problems[name].run(options)
  local turns = options.steps or options.sweeps and options.sweeps + options.warmup or options.most or 1
  return {cycles = found.cycles, rpcs = found.rpcs, cycles_per_step = found.cycles / turns,
          cycles_per_element = found.cycles / turns / point.nz, differing_words = found.differing_words,
          worker_bytes = found.worker_bytes, without_reuse = found.worker_bytes_without_reuse,
          largest_live = found.largest_live_bytes}
end

local kOrder = {"program", "width", "nz", "fuse"}

local function elements()
  local points = {}
  for _, name in ipairs{"heat", "cg", "cg pipelined", "flow", "ising", "unstructured"} do
    for _, nz in ipairs{8, 20, 50, 100} do
      for _, fuse in ipairs{false, true} do
        points[#points + 1] = {program = name, width = 8, nz = nz, fuse = fuse}
      end
    end
  end
  local rows = wse.sweep{points = points, order = kOrder, run = measured, csv = csv "mach-elements",
                         title = "elements"}
  for _, row in ipairs(rows) do row.series = row.program .. (row.fuse and ", fused" or "") end
  print(wse.table(rows, {"program", "nz", "fuse", "rpcs", {name = "cycles_per_step", format = "%.0f"},
                         {name = "cycles_per_element", format = "%.1f"}, "worker_bytes",
                         "largest_live", "without_reuse", "differing_words"}))
  wse.plot{file = out .. "/mach-elements.svg", rows = rows, x = "nz", y = "cycles_per_element",
           series = "series", log = "xy", x_label = "elements of a worker",
           y_label = "cycles per element and step", title = "Programs over nz, 8 x 8 workers"}
end

local function scaling()
  local points, width = {}, 8
  while width <= most do
    for _, name in ipairs{"heat", "cg", "cg pipelined"} do
      points[#points + 1] = {program = name, width = width, nz = 20, fuse = true}
    end
    width = width * 2
  end
  local rows = wse.sweep{points = points, order = kOrder, run = measured, csv = csv "mach-scaling",
                         title = "weak scaling"}
  print(wse.table(rows, {"program", "width", "nz", {name = "cycles_per_step", format = "%.0f"},
                         "differing_words"}))
  wse.plot{file = out .. "/mach-scaling.svg", rows = rows, x = "width", y = "cycles_per_step",
           series = "program", log = "x", x_label = "workers of a row and a column",
           y_label = "cycles per step", title = "Weak scaling, nz = 20, fused"}
end

elements()
scaling()
