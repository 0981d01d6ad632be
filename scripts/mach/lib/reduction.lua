-- The cost of a reduction: from the request, the number of its section issued by the executive, to the
-- value there; and with RPCs between it and its receipt, what the run takes beyond these RPCs alone.
local checks = require "support.checks"
local column_order = require "mach.kernels.column_order"
local command = require "mach.lib.command"
local request = require "mach.lib.request"
local vm = require "mach.vm"
local wse = require "wse"

local reduction = {}

reduction.arguments = {{"width", 16}, {"height", 12}, {"nz", 16}, {"op", "sum"}, {"to", "controller"},
                       {"work", 0}, {"type", "f32"}, {"response", 2},
                       {"pattern", "drain"}}

local kIdleTurns = 200
local kWorkLength = 50  -- elements of an RPC between

function reduction.checked(o)
  command.even("width", o.width, 4, 1024)
  command.even("height", o.height, 2, 1024)
  command.even("response", o.response or 2, 2, o.width - 2)
  checks.integer("nz", o.nz, 1, 3000)
  checks.one_of("op", o.op, {"sum", "min", "max"})
  checks.one_of("to", o.to, {"workers", "controller"})
  checks.one_of("type", o.type or "f32", {"f32", "f16", "i32"})
  checks.integer("work", o.work, 0, 1000)
  checks.one_of("pattern", o.pattern or "drain", column_order.patterns)
  return o
end

-- The reduction, `work` RPCs, the receipt; `alone`: these RPCs and nothing else.
local function program(o, alone)
  local type = o.type or "f32"
  local p = vm.program{width = o.width, height = o.height, response = o.response or 2,
                       reduction = o.pattern}
  p:array("a", type, o.nz, function(x, y, i)
    local v = (x * 31 + y * 17 + i * 7) % 41 - 20
    return type == "i32" and v or v / (type == "f16" and 8 or 7)
  end)
  p:array("b", "f32", kWorkLength, function(x, y, i) return i / 4 end)
  p:array("c", "f32", kWorkLength)
  p:global("value", "u32")
  local calls = {}
  if not alone then
    calls[1] = {string.format("%s_to_%s_%s", o.op, o.to, type), a = "a", length = o.nz}
  end
  for _ = 1, o.work do
    calls[#calls + 1] = {"add_f32", d = "c", a = "b", b = "c", length = kWorkLength}
  end
  if not alone and o.to == "workers" then calls[#calls + 1] = {"receive", scalar = 1} end
  local steps = {{"loop", kIdleTurns, {}}, {"mark", "asked"}, {"section", p:section(calls)}}
  if not alone and o.to == "controller" then
    steps[#steps + 1] = {"receive", "value"}
    steps[#steps + 1] = {"mark", "received"}
  end
  return p, steps
end

local kFold = {sum = function(a, b) return a + b end, min = math.min, max = math.max}

-- The value in double precision.
local function exact_total(o, p)
  local array, total = p.arrays[1], nil
  for y = 0, o.height - 1 do
    for x = 0, o.width - 1 do
      for i = 0, o.nz - 1 do
        local v = array.type.round(array.value(x, y, i))
        total = total and kFold[o.op](total, v) or v
      end
    end
  end
  return total
end

local function received(o, result)
  local words = o.type == "i32" and "i32" or "f32"
  if o.to == "workers" then return result.scalar(1, 0, 0, words) end
  local value = result.reference.globals.value  -- equal in every bit if nothing differs
  return value
end

function reduction.run(o)
  o = reduction.checked(o)
  local p, steps = program(o)
  local result = p:run(steps, {machine = o.machine})
  local alone, alone_steps = program(o, true)
  local work = alone:run(alone_steps, {machine = o.machine, check = false})
  local machine, marks = wse.machine(o.machine), result.record.marks
  local asked = request.cycle(marks, machine)
  local total = received(o, result)
  return {total = total, max_abs_error = math.abs(total - exact_total(o, p)), differing = result.differing,
          cycles = (marks.received and marks.received.first or result.cycles) - asked,
          exposed_cycles = result.cycles - work.cycles, colours = result.colours,
          machine = machine.name}
end

function reduction.shown(o, result)
  return string.format([[
%s of %d x %d workers, %d elements each, to the %s, on %s: %.9g, off by %.3g
  %d cycles from the request on; %d beyond those of the %d RPCs between]],
    o.op, o.width, o.height, o.nz, o.to, result.machine, result.total, result.max_abs_error,
    result.cycles, result.exposed_cycles, o.work)
end

return reduction
