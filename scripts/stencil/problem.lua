-- A problem on a machine: compiled, run, read back and compared with the plain evaluation.
local check = require "wse.layout.check"
local cost = require "stencil.explain.cost"
local emit = require "stencil.emit.layout"
local expression = require "stencil.lang.expression"
local files = require "stencil.lang.files"
local grids = require "stencil.lang.grid"
local host = require "wse.host"
local memory = require "stencil.compile.memory"
local plain = require "stencil.reference.plain"
local plan = require "stencil.compile.plan"
local program = require "stencil.emit.program"
local size = require "stencil.emit.size"
local stability = require "stencil.compile.stability"
local format = string.format

local problem = {}

local kAxes = {"x", "y", "z"}
local kRun = {steps = true, check = true, machine = true, max_cycles = true, block = true, force = true, split = true,
              compact = true}

local function checked(call, self, options)
  grids.check_names(call, options, kRun)
  check.integer(call, "steps", options.steps or 1, 1, 0x7ffffff)
  if #self.updates == 0 then host.raise(call .. ": the grid has no update") end
  if options.block then
    if self.dims == 2 then host.raise(call .. ": block is for columns, which a grid without nz does not have") end
    check.integer(call, "block", options.block, 1, self.sizes[3])
    if options.block % 2 == 1 and options.block ~= self.sizes[3] then
      check.wanted(call, "block", format("an even block, or the whole column, %d,", self.sizes[3]), options.block)
    end
  end
end

local function compiled(call, self, options)
  checked(call, self, options)
  if not options.force then stability.check(call, self) end
  local machine = host.machine(options.machine)
  local step = plan.make(self, options.steps or 1, machine, options.block, size.of_cells, options.compact)
  step.machine, step.split = machine, options.split
  local layout, inputs = emit.make(step, self)
  return step, layout, inputs
end

local kMostHeld = 4000000  -- values of a field that a script keeps: a wafer has more than its memory holds

-- Returns a function of (x, y, z) that reads a level of a field after the last step: "now" or "before".
local function reader(step, record, field, level)
  local region = step:region(field, level, step.steps)
  local name, offset, columns, held = region.name, (region.first - region.address) // memory.element_bytes(region), {}, 0
  return function(cx, cy, cz)
    local x, y, at = step.shape:place{cx, cy, cz or 0}
    local key = y * step.shape.width + x
    if not columns[key] then
      local list = record:symbol(x, y, name)
      list = type(list) == "table" and list or {list}
      if held > kMostHeld then columns, held = {}, 0 end
      columns[key], held = list, held + #list
    end
    local word = step.shape:word(region, at)
    return word and columns[key][offset + word + 1] or 0.0  -- where a PE holds no cell, none was ever set
  end
end

local function traces_of(self, step, record)
  local traces = {}
  for _, recording in ipairs(self.recordings) do
    local x, y = step.shape:place(recording.cell)
    local list = record:symbol(x, y, step.traces[recording])
    traces[recording.name] = type(list) == "table" and list or {list}
  end
  return traces
end

-- Returns the largest difference between two runs, over the largest absolute value of the second.
function problem.distance(self, one, other)
  local worst, largest = 0.0, 0.0
  local nx, ny, nz = self:extents()
  local function see(value, wanted)
    local off = math.abs(value - wanted)
    if off > worst or off ~= off then worst = off == off and off or math.huge end
    largest = math.max(largest, math.abs(wanted))
  end
  for _, field in ipairs(self.fields) do
    for y = 0, ny - 1 do
      for x = 0, nx - 1 do
        for z = 0, nz - 1 do see(one.value(field, x, y, z), other.value(field, x, y, z)) end
      end
    end
  end
  for name, list in pairs(other.traces) do
    for k, wanted in ipairs(list) do see(one.traces[name][k], wanted) end
  end
  return largest > 0 and worst / largest or worst
end

-- Returns the field that a user gives: an expression, a name, or the field itself.
local function field_named(call, self, given)
  local own = expression.is(given) and given.kind == "access" and given.field or given
  local names = {}
  for k, field in ipairs(self.fields) do
    if field == own or field.name == own then return field end
    names[k] = field.name
  end
  local shown = expression.is(given) and expression.short(given) or check.shown(given)
  host.raise(format("%s: %s is not a field of this grid%s", call, shown, check.instead(tostring(given), names)))
end

local math_type = math.type

local kResults = {"before", "cycles", "cycles_of", "cycles_per_step", "max_rel_error", "number", "record", "save", "steps", "traces",
                  "value"}
local Result = {__metatable = "stencil result"}

-- Results that only check = true and split = true compute are nil without them; other names are refused.
function Result.__index(_, name)
  if name == "max_rel_error" or name == "cycles_of" then return nil end
  host.raise(format("a result has no '%s'%s", tostring(name), check.instead(tostring(name), kResults)))
end

-- Returns a function (f, x, y, z) for users: a cell outside of the grid is refused. readers: by field.
local function checked_reader(call, self, readers)
  local nx, ny, nz = self:extents()
  local function check_cell(axis, at, size)
    if math_type(at) ~= "integer" or at < 0 or at >= size then
      check.integer(call, "the cell along " .. axis, at, 0, size - 1)
    end
  end
  local known = {}
  return function(given, x, y, z)
    local field = known[given] or field_named(call, self, given)
    known[given], z = field, z or self.dims == 2 and 0 or nil
    check_cell("x", x, nx)
    check_cell("y", y, ny)
    check_cell("z", z, nz)
    if not readers[field] then
      host.raise(format("%s: no equation reads %s.before, so that a PE does not keep it", call, field.name))
    end
    return readers[field](x, y, z)
  end
end

-- Adds value(f, x, y, z), before(f, x, y, z) and save(f, file) to a result. now and before: readers by field.
local function add_reading(self, result, now, before)
  local nx, ny, nz = self:extents()
  result.value, result.before = checked_reader("value", self, now), checked_reader("before", self, before)
  function result.save(given, file)
    local field = field_named("save", self, given)
    if type(file) ~= "string" then check.wanted("save", "the file", "a name", file) end
    files.write(format("save: %s", file), file, nx, ny, nz, now[field])
  end
end

-- Returns the cycles that the PE in the middle has spent in groups with an exchange, with totals, and without both.
local function cycles_by_kind(step, record)
  local x, y, cycles = step.shape.width // 2, step.shape.height // 2, {}
  for _, kind in ipairs{"operator", "totals", "updates"} do cycles[kind] = record:symbol(x, y, "cycles_of_" .. kind) end
  return cycles
end

-- Returns a number of the step after the run, as PE 0, 0 has it.
local function number_after(self, step, record, given)
  if not expression.is(given) or given.kind ~= "number_of_step" or given.grid ~= self then
    check.wanted("number", "what is read", "a number of g:number or g:total", expression.is(given) and expression.short(given) or given)
  end
  local name, at = step.numbers.places[given.number]:match("^([%w_]+)%[?(%d*)")
  local value = record:symbol(0, 0, name)
  return type(value) == "table" and value[(math.tointeger(at) or 0) + 1] or value
end

-- g:run{steps =, check =, machine =, max_cycles =, block =, force =, split =, compact =}: runs it. The result has cycles, of the steps
-- alone, and cycles_per_step; value(f, x, y, z), and before(f, x, y, z), a step earlier, for fields of which equations
-- read that; save(f, file), traces by name, the record; with check also max_rel_error, against the plain evaluation
-- in double.
function grids.methods.run(self, options)
  local call = "run"
  local step, layout, inputs = compiled(call, self, options)
  local record = layout:run{inputs = inputs, machine = options.machine, max_cycles = options.max_cycles}
  local cycles = record.marks["end"].last - record.marks["begin"].first
  if step.phases[1].ending.stop then step.steps = record:symbol(0, 0, "steps_over") end
  local readers, earlier = {}, {}
  for _, field in ipairs(self.fields) do
    readers[field] = reader(step, record, field, "now")
    if step.levels[field] > 1 then earlier[field] = reader(step, record, field, "before") end
  end
  local result = {cycles = cycles, cycles_per_step = cycles / step.steps, record = record, step = step, steps = step.steps,
                  traces = traces_of(self, step, record)}
  if options.split then result.cycles_of = cycles_by_kind(step, record) end
  function result.number(given) return number_after(self, step, record, given) end
  local function value(field, x, y, z) return readers[field](x, y, z) end
  add_reading(self, result, readers, earlier)
  if options.check then
    result.max_rel_error = problem.distance(self, {value = value, traces = result.traces}, plain.run(self, step.steps))
  end
  return setmetatable(result, Result)
end

-- Cycles of a step of a PE by what the record says they were, means over the PEs.
local function measured_of(result)
  local pes = result.record.width * result.record.height
  local runs, counted = pes * result.step.steps, result.record.pe_cycles
  local waiting = counted.wait_input + counted.wait_output + counted.idle
  return {busy = counted.busy / runs, stall = counted.memory_stall / runs, waiting = waiting / runs,
          all = (counted.busy + counted.memory_stall + waiting) / runs}
end

-- g:explain{...}: the text of what a step costs, by cause; options as of g:run, or result = that of a run, whose
-- measured cycles it then adds.
function grids.methods.explain(self, options)
  local call = "explain"
  options = options or {}
  check.table(call, "the options", options)
  if options.result ~= nil and getmetatable(options.result) ~= Result.__metatable then
    check.wanted(call, "result", "what g:run{...} returned", options.result)
  end
  if self.type == "f16" then host.raise(call .. ": what f16 takes is not predicted; split = true of g:run measures it") end
  if #self.totals + #self.numbers > 0 then host.raise(call .. ": what totals take is not predicted; split = true of g:run measures it") end
  local own = {}
  for name, value in pairs(options) do own[name] = value end
  own.result = nil
  checked(call, self, own)
  local step, machine
  if options.result then
    step = options.result.step
    machine = step.machine
  else
    machine = host.machine(own.machine)
    step = plan.make(self, own.steps or 1, machine, own.block, size.of_cells, own.compact)
  end
  return cost.text(step, machine, program.schedule(step), options.result and measured_of(options.result))
end

-- g:layout{...}: the layout, to look at or to write.
function grids.methods.layout(self, options)
  local _, layout, inputs = compiled("layout", self, options)
  return layout, inputs
end

return problem
