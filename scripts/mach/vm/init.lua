-- The machine of a controller and its workers: arrays on all workers, sections of calls, steps of the
-- executive; its text, its runs, and what Lua makes of the same calls.
--   local p = vm.program{width = 8, height = 4, response = 4}
--   p:array("a", "f32", 16, function(x, y, i) return i end)
--   local s = p:section{{"add_f32", d = "a", a = "a", b = "a", length = 16}}
--   local result = p:run({{"section", s}})
-- Rows of workers leave the middle of the wafer out. Must never know a language or a graph.
local calls = require "mach.vm.calls"
local checks = require "support.checks"
local column_order = require "mach.kernels.column_order"
local geometry = require "mach.vm.geometry"
local host = require "wse.host"
local kernels = require "mach.kernels"
local machine_run = require "mach.vm.machine_run"
local reference = require "mach.vm.reference"
local slices = require "mach.vm.slices"
local steps = require "mach.vm.steps"
local types = require "mach.kernels.types"
local format, ipairs = string.format, ipairs

local Program = {}
Program.__index = Program

-- A value of a call that the executive sends: the step that names the section brings it.
local vm = {kernels = kernels, immediate = setmetatable({}, {__metatable = "immediate"})}

-- width, height: of the workers, even; response: how many response PEs, even; reduction: the pattern of
-- columns (kernels/column_order.lua).
function vm.program(options)
  checks.names("a program", options, {width = 1, height = 1, response = 1, scalars = 1, reduction = 1})
  local width = checks.integer("width", options.width, 4, 4096)
  local height = checks.integer("height", options.height, 2, 4090)
  local response = checks.integer("response", options.response or 2, 2, width - 2)
  for name, value in pairs{width = width, height = height, response = response} do
    if value % 2 == 1 then host.raise(format("%s = %d: an even number is wanted", name, value)) end
  end
  local pattern = checks.one_of("reduction", options.reduction or "drain", column_order.patterns)
  local self = setmetatable({width = width, height = height, response = response, arrays = {},
                             array_of = {}, sections = {}, used = {}, features = {}, masks = {"1"},
                             mask_functions = {function() return true end}, mask_of = {["1"] = 0},
                             scalars = checks.integer("scalars", options.scalars or 8, 1, 4096),
                             globals = {}, next_address = 0,
                             geometry = geometry.of(width, height, response, pattern)}, Program)
  return self
end

-- An array on each worker. value: a function of (x, y, i), or nil for zeros; `formula`: the same as an
-- expression of x, y and i, which is in the text of the program, so that no inputs are needed.
function Program:array(name, type_name, count, value, formula)
  checks.one_of("type", type_name, types.names)
  checks.integer("count", count, 1, 24576)
  if self.array_of[name] then host.raise(format("there is an array '%s' already", name)) end
  local type = types[type_name]
  -- arrays begin in banks that do not conflict with those before them, by turns
  local address = (self.next_address + 3) // 4 * 4
  if address // 4 % 2 ~= #self.arrays % 2 then address = address + 4 end
  formula = formula and formula:gsub("%f[%w_]y%f[^%w_]", self.geometry.row)
  local array = {name = name, type = type, count = count, value = value, formula = formula,
                 address = address}
  self.next_address = address + count * type.bytes
  self.arrays[#self.arrays + 1], self.array_of[name] = array, array
  return name
end

-- The number of a participation mask: NumPy's slices of the workers.
function Program:mask(xs, ys, away, senders)
  local formula, test = slices.mask(xs, ys, self.geometry, away, senders)
  if not self.mask_of[formula] then
    self.masks[#self.masks + 1], self.mask_functions[#self.masks + 1] = formula, test
    self.mask_of[formula] = #self.masks - 1
  end
  return self.mask_of[formula]
end

-- A scalar on the executive.
function Program:global(name, type_name, value)
  self.globals[#self.globals + 1] = {name, type_name, value}
  return name
end

-- The value of scalar k of each worker at the beginning, a function of (k, x, y): 32-bit integers.
function Program:scalar_values(value) self.scalar_value = value end

-- The number of a section of calls {kernel, argument = value, ...}; `x` and `y` of a call are slices
-- of the workers that take part.
function Program:section(list)
  local section = {calls = {}}
  for k, call in ipairs(list) do section.calls[k] = calls.checked(self, call) end
  self.sections[#self.sections + 1] = section
  return #self.sections
end

-- Runs the steps of the executive; {record, arrays by name, differing = elements, max_abs_error, ...}
function Program:run(list, options)
  options = options or {}
  steps.check(self, list)
  local result = machine_run.run(self, list, options)
  if options.check ~= false then
    local run = reference.start(self)
    steps.play(run, list)
    machine_run.compare(self, result, run)
  end
  return result
end

-- The layout, with all its programs.
function Program:layout(list, options)
  steps.check(self, list)
  return machine_run.layout(self, list, options or {})
end

return vm
