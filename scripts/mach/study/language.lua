-- Studies of the language: what a step of each program costs over nz, what of it is set-up, memory with
-- and without reuse, weak scaling, and from which size on conjugate gradients with hidden sums are faster.
-- Must hold no figure of a machine: all comes from runs, of as few steps as the figures need.
local study = require "support.study"

local studies = {}

local problems = {}
for _, name in ipairs{"listing1", "slices", "unstructured", "heat", "cg", "ising", "flow", "particles"} do
  problems[name] = require("mach.problems." .. name)
end

-- Steps of the programs: {the option that says how many, few, more}. The cost of a step is the difference of two
-- runs; programs without steps are looked at as a whole.
local kSteps = {heat = {"steps", 1, 2}, flow = {"steps", 1, 2}, ising = {"sweeps", 1, 2},
                particles = {"steps", 6, 8}, unstructured = {"steps", 1, 2}, cg = {"most", 1, 2}}
local kBeside = {ising = {warmup = 0}}

local function options_of(point, steps)
  local options = {width = point.width or 8, height = point.height or 8, nz = point.nz, fuse = point.fuse,
                   machine = "wse2", wafer = point.wafer ~= false, setup = point.setup == true}
  local name, method = point.program:match("^(%S+) ?(%S*)$")
  if method ~= "" then options.method = method end
  for key, value in pairs(kBeside[name] or {}) do options[key] = value end
  if kSteps[name] then options[kSteps[name][1]] = kSteps[name][steps] end
  return name, options
end

-- A run of a point's program, of few steps (2) or more (3).
local function run(point, steps)
  local name, options = options_of(point, steps)
  local figures = problems[name].run(options)
  if (figures.differing_words or 0) > 0 then
    error(string.format("%s: %d words differ from the interpreter", name, figures.differing_words))
  end
  return figures, name, options
end

-- Cycles of a step, and of those the ones of a run without elements.
local function step_of(point)
  local more, name, options = run(point, 3)
  local steps = kSteps[name]
  if not steps then return more.cycles, (more.setup_share or 0) * more.cycles end
  local few = run(point, 2)
  local between = steps[3] - steps[2]
  local setup = ((more.setup_share or 0) * more.cycles - (few.setup_share or 0) * few.cycles) / between
  return (more.cycles - few.cycles) / between, setup, options
end

local kPrograms = {"heat", "cg plain", "cg pipelined", "flow", "ising", "unstructured", "particles",
                   "slices", "listing1"}

local function lines_of(rows, y, programs)
  local lines = {}
  for k, program in ipairs(programs) do
    for _, fuse in ipairs{false, true} do
      local line = study.line(program .. (fuse and ", fused" or ""), k, rows, "nz", y, function(row)
        return row.program == program and row.fuse == fuse
      end)
      line.dashed = fuse
      lines[#lines + 1] = line
    end
  end
  return lines
end

-- ---- cycles per element of a worker and step

studies.elements = {order = {"program", "nz", "fuse"},
                    over = {program = kPrograms, nz = {8, 20, 50, 100}, fuse = {false, true}}}

function studies.elements.run(point)
  local cycles = step_of(point)
  return {cycles_per_step = cycles, cycles_per_element = cycles / point.nz}
end

function studies.elements.picture(rows)
  local vectors, loops = {"heat", "cg plain", "cg pipelined", "flow"},
                         {"ising", "unstructured", "particles", "slices", "listing1"}
  local function panel(title, programs)
    return {title = title, lines = lines_of(rows, "cycles_per_element", programs), log = "xy", legend = "below",
            x_label = "elements of a worker", y_label = "cycles per element and step"}
  end
  return {panels = {panel("Vector instructions", vectors), panel("Loops over elements, and whole runs", loops)},
          columns = 2}
end

-- ---- the share of set-up

local kShares = {"heat", "cg plain", "flow"}

studies.setup = {order = {"program", "nz", "fuse"}, points = {}}
for _, program in ipairs(kShares) do
  for _, nz in ipairs{10, 20, 50, 100, 200, 500} do
    for _, fuse in ipairs{false, true} do
      -- A worker's memory holds no flow of 500 elements.
      if program ~= "flow" or nz < 500 then
        table.insert(studies.setup.points, {program = program, nz = nz, fuse = fuse})
      end
    end
  end
end

function studies.setup.run(point)
  point = {program = point.program, nz = point.nz, fuse = point.fuse, setup = true,
           width = point.program == "flow" and 4 or 8, height = point.program == "flow" and 4 or 8}
  local cycles, setup = step_of(point)
  return {cycles_per_step = cycles, setup_cycles = setup, setup_share = setup / cycles}
end

function studies.setup.picture(rows)
  local lines = lines_of(rows, "setup_share", kShares)
  lines[#lines + 1] = {name = "half", x = {10, 500}, y = {0.5, 0.5}, dashed = true, marks = false}
  lines[#lines + 1] = {name = "50 elements, the paper's", x = {50, 50}, y = {0, 1}, dashed = true, marks = false}
  return {title = "Share of a step that is no element's, on wse2", lines = lines, log = "x",
          x_label = "elements of a worker", y_label = "share", y_range = {0, 1}}
end

-- ---- memory

studies.memory = {order = {"program", "fuse"}, over = {program = kPrograms, fuse = {false, true}}}

function studies.memory.run(point)
  local figures = run({program = point.program, fuse = point.fuse, nz = 50, width = 4, height = 4,
                       wafer = false}, 2)
  return {worker_bytes = figures.worker_bytes, largest_live = figures.largest_live_bytes,
          without_reuse = figures.worker_bytes_without_reuse,
          of_all = figures.worker_bytes / figures.worker_bytes_without_reuse}
end

function studies.memory.picture(rows)
  local lines, ticks, kinds = {}, {}, {{"without_reuse", "without reuse"}, {"worker_bytes", "with reuse"},
                                       {"largest_live", "live at once"}}
  for k, kind in ipairs(kinds) do
    local line = {name = kind[2], x = {}, y = {}, bars = true}
    for _, row in ipairs(rows) do
      if not row.fuse then
        line.x[#line.x + 1], line.y[#line.y + 1] = #line.x + 1, row[kind[1]]
        ticks[#line.x] = {#line.x, row.program}
      end
    end
    lines[k] = line
  end
  return {title = "Memory of a worker with 50 elements, not fused", lines = lines, x_ticks = ticks, width = 1000,
          log = "y", x_range = {0.5, #ticks + 0.5}, y_label = "bytes", x_label = "program"}
end

-- ---- the field

local function per_step(point)
  return {cycles_per_step = (step_of{program = point.program, nz = 20, fuse = true, width = point.width,
                                     height = point.height or point.width})}
end

studies.scaling = {order = {"program", "width"},
                   over = {program = {"heat", "cg plain", "cg pipelined"}, width = {8, 16, 32, 64, 128}},
                   run = per_step}

function studies.scaling.picture(rows)
  return {title = "Weak scaling: 20 elements of each worker, fused, on wse2", rows = rows, x = "width",
          y = "cycles_per_step", series = "program", log = "x", y_range = {0, 2800},
          x_label = "side of the field", y_label = "cycles per step"}
end

local kFields = {{8, 8}, {16, 16}, {24, 24}, {32, 32}, {40, 40}, {48, 48}, {54, 54}, {56, 56}, {64, 64}, {128, 124}}

studies.pipelined = {order = {"program", "width", "height"}, run = per_step, points = {}}
for _, field in ipairs(kFields) do
  for _, method in ipairs{"plain", "pipelined"} do
    table.insert(studies.pipelined.points, {program = "cg " .. method, width = field[1], height = field[2]})
  end
end

-- The first field from which on the sums' way costs more than the vectors that hide it.
local function crossing(rows)
  local of = {}
  for _, row in ipairs(rows) do
    local field = row.width .. " x " .. row.height
    of[field] = of[field] or {}
    of[field][row.program] = row.cycles_per_step
  end
  local found
  for _, field in ipairs(kFields) do
    local name = field[1] .. " x " .. field[2]
    local one = of[name] or {}
    if one["cg plain"] and one["cg pipelined"] then
      local faster = one["cg pipelined"] < one["cg plain"]
      found = faster and (found or name) or nil
    end
  end
  return found
end

function studies.pipelined.picture(rows)
  local from = crossing(rows)
  return {title = "An iteration of cg, 20 elements, fused, on wse2: "
                  .. (from and "pipelined is faster from " .. from .. " on" or "plain is faster"),
          rows = rows, x = "width", y = "cycles_per_step", series = "program", log = "x",
          x_label = "workers of a row", y_label = "cycles per iteration"}
end

return studies
