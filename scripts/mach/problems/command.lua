-- The common parts of the programs: their arguments, the program that these describe, what a run tells.
-- A problem is {name =, arguments = {NAME = default}, ranges = {NAME = {least, most}}, run =
-- function(options) -> result, lines}; a range without `most` ends where a word of a program does.
local check = require "wse.layout.check"
local checks = require "support.checks"
local figures_of = require "support.figures"
local host = require "wse.host"
local mach = require "mach"
local shared = require "support.command"
local wse = require "wse"
local format = string.format

local command = {}

-- Arguments of all, beside a problem's own; response=0: as few R-PEs as hold the program; without
-- `wafer` the interpreter alone runs; without `setup` nothing is run once more for its share.
local kShared = {width = 16, height = 16, nz = 16, response = 0, fuse = false, seed = 1, graph = "",
                 map = false, wafer = true, setup = true}

local kSharedRanges = {width = {4, 4094}, height = {2, 4092}, nz = {1}, response = {0, 4092},
                       seed = {0, 0xffffffff}}

local function check_range(name, value, range)
  if not range then return end
  if type(value) == "number" and math.type(range[1]) == "float" then
    checks.number(name, value, range[1], range[2])
  else
    checks.integer(name, value, range[1], range[2])
  end
end

-- Refuses an argument that is beyond its range, before anything is made of it.
local function check_ranges(problem, options)
  for _, name in ipairs(check.sorted_keys(options)) do
    check_range(name, options[name], (problem.ranges or {})[name] or kSharedRanges[name])
  end
  for _, name in ipairs{"width", "height", "response"} do
    if options[name] % 2 == 1 then
      host.raise(format("%s = %d: an even number is wanted, half of it on each side", name,
                        options[name]))
    end
  end
  local memory = host.machine(options.machine).memory_bytes
  if options.nz > memory then
    host.raise(format("nz = %d: arrays of so many elements do not fit a worker of %d bytes", options.nz,
                      memory))
  end
end

-- The options of a problem with what is missing, checked; others are refused.
function command.options(problem, given)
  local options = {}
  for name, default in pairs(kShared) do options[name] = default end
  for name, default in pairs(problem.arguments) do options[name] = default end
  for name, value in pairs(given or {}) do
    if options[name] == nil and name ~= "machine" then
      host.raise(format("%s has no option '%s'%s", problem.name, tostring(name),
                        check.instead(tostring(name), check.sorted_keys(options))))
    end
    options[name] = value
  end
  check_ranges(problem, options)
  return options
end

-- The program that the options describe, without objects.
function command.program(options)
  return mach.program{width = options.width, height = options.height, machine = options.machine,
                      response = options.response > 0 and options.response or nil,
                      fuse = options.fuse, seed = options.seed}
end

-- Runs it; the result has what every problem tells in `user`.
function command.run(program, options)
  local result = program:run{graph = options.graph ~= "" and options.graph or nil,
                              wafer = options.wafer, setup = options.wafer and options.setup}
  if options.map then print(program:memory()) end
  return result
end

-- Adds what a problem found to the figures of its run.
function command.figures(result, found)
  local figures = {}
  for name, value in pairs(result.user) do figures[name] = value end
  for name, value in pairs(found) do figures[name] = value end
  return figures
end

-- Reads the arguments, runs the problem, prints and records what it found.
function command.main(problem)
  local options = {}
  local names = {}
  for name in pairs(command.options(problem)) do names[#names + 1] = name end
  table.sort(names)
  local defaults = command.options(problem)
  for _, name in ipairs(names) do options[name] = wse.argument(name, defaults[name]) end
  wse.no_more_arguments()
  local figures = shared.call("nz", problem.run, options)
  print(format("%s, %d x %d workers", problem.name, options.width, options.height))
  print(problem.lines(figures))
  print(format("  %d calls; %d bytes on each worker, %d without reuse, %d live at most; %d on the E-PE",
               figures.rpcs, figures.worker_bytes, figures.worker_bytes_without_reuse,
               figures.largest_live_bytes, figures.controller_bytes))
  if figures.cycles then
    print(format("  %d cycles, %d sections, %d colours, %d R-PEs; %d words differ from the interpreter",
                 figures.cycles, figures.sections, figures.colours, figures.response,
                 figures.differing_words))
    if figures.setup_share then
      print(format("  %s of the cycles are set-up", figures_of.percent(figures.setup_share)))
    end
  end
  wse.user(figures)
end

return command
