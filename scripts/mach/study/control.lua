-- Studies of control: start latency with its parts, set-up and what it leaves to computing, sections.
local control = require "mach.control"
local study = require "support.study"

local studies = {}

local kSize = {width = 16, height = 12, response = 4}

local function options(changed)
  local o = {nz = 16, rpcs = 20, sections = 1, seed = 0}
  for name, value in pairs(kSize) do o[name] = value end
  for name, value in pairs(changed) do o[name] = value end
  return o
end

local kMachines = {"model", "wse2", "wse3"}
local kParts = {"ramps", "hops", "issues", "drain", "sets", "response"}

studies.start = {order = {"machine"}, over = {machine = kMachines}}

function studies.start.run(point)
  local result = control.run(options(point))
  local row = {latency = result.start_latency_cycles}
  for _, name in ipairs(kParts) do row[name] = result.start_parts[name] end
  return row
end

function studies.start.picture(rows)
  local lines, ticks = {}, {}
  for k, name in ipairs(kParts) do
    lines[k] = {name = name, x = {}, y = {}, bars = true}
    for m, row in ipairs(rows) do
      lines[k].x[m], lines[k].y[m] = m, row[name]
      ticks[m] = {m, row.machine .. ", " .. row.latency .. " in all"}
    end
  end
  lines[#lines + 1] = {name = "the paper: about 10 in all", x = {0.5, #rows + 0.5}, y = {10, 10},
                       dashed = true, marks = false}
  return {title = "From the executive's word to the first wavelet of the merge PE", lines = lines,
          x_ticks = ticks, x_range = {0.5, #rows + 0.5}, y_label = "cycles", x_label = "machine"}
end

local kKernels = {"add_f32", "mul_f32", "fma_f32", "copy_f32"}

studies.share = {order = {"kernel", "nz"},
                 over = {kernel = kKernels, nz = {4, 8, 16, 32, 50, 64, 100, 128, 256, 512, 1024}}}

-- The share of a period in which elements issue: without what a call of no elements takes.
function studies.share.run(point)
  local o = options{kernel = point.kernel, nz = point.nz, machine = "wse2"}
  local period = control.period(o)
  o.length = 0
  local set_up = control.period(o)
  return {rpc_cycles = period, set_up = set_up, share = 1 - set_up / period}
end

function studies.share.picture(rows)
  local lines = {}
  for k, kernel in ipairs(kKernels) do
    lines[k] = study.line(kernel, k, rows, "nz", "share", function(row) return row.kernel == kernel end)
  end
  lines[#lines + 1] = {name = "half", x = {4, 1024}, y = {0.5, 0.5}, dashed = true, marks = false}
  lines[#lines + 1] = {name = "50 elements, the paper's", x = {50, 50}, y = {0, 1}, dashed = true,
                       marks = false}
  return {title = "Share of time that computes, RPCs back to back on wse2",
          lines = study.joined(lines), log = "x", x_label = "elements of a call", y_label = "share"}
end

studies.sections = {order = {"machine", "section"},
                    over = {machine = kMachines, section = {1, 2, 4, 5, 10, 20}}}

function studies.sections.run(point)
  local result = control.run(options{machine = point.machine, sections = 20 // point.section})
  return {cycles = result.cycles}
end

function studies.sections.picture(rows)
  return {title = "20 RPCs of 16 elements in sections", rows = rows, x = "section", y = "cycles",
          series = "machine", x_label = "RPCs of a section", y_label = "cycles"}
end

return studies
