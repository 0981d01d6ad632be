-- The phase of a program that brings pieces into another order of nodes over dimensions of a cube (exchanges.lua),
-- each step a task: of swaps (swap_program.lua), or of exchanges. In an exchange a node whose bit says so sends its
-- elements of a class and receives others for them into `coming`, all classes at once. The threads are those of
-- cube_steps.lua: the first half of them receives, the other one sends.
-- A specification: steps, classes, swaps (exchanges.plan); array, with `elements` rows of one word; data,
-- its type; counted: the words of the fullest link of each step go to `fullest`. Registers: step, a. Bits are those
-- of x.
local swap_program = require "alltoall.lib.swap_program"
local format = string.format

local exchange_program = {}

local kHalf = 4  -- of the microthreads

function exchange_program.declare(code, spec)
  code:line(".%s $coming[%d, 1]", spec.data, spec.elements)
  if spec.counted then code:line(".i32 fullest[%d]", #spec.steps) end
  code:registers(0, {"step"})
  if spec.swaps then
    swap_program.declare(code, spec)
    return
  end
  code:registers(4, {"a"})
  for class = 0, spec.classes - 1 do
    code:declare("microthread", "in" .. class)
    code:declare("microthread", "in" .. class + kHalf)
  end
end

local function count_of(spec, class) return (spec.elements - class + spec.classes - 1) // spec.classes end

local function elements_of(spec, array, class)
  return format("%s[%d:%d:%d, 0]", array, class, spec.elements, spec.classes)
end

-- What nodes do for an exchange that take part in it.
local function where_bit(code, exchange, label, body)
  code:op("mov32 a, x >> %d & 1", exchange.from)
  code:op("beq a, 0, $%s", label)
  body()
  code:line("$%s:", label)
end

local function one_step(code, spec, number)
  local step, classes = spec.steps[number], math.min(spec.classes, spec.elements)
  for class = 0, classes - 1 do
    local over = step[class].over
    where_bit(code, step[class], format("keeps%d_%d", number, class), function()
      code:op("mov32 %s, fabin(rx%d) async in%d", elements_of(spec, "$coming", class), over, class)
      code:op("mov32 fabout(tx%d), %s async in%d", over, elements_of(spec, spec.array, class),
              class + kHalf)
      if spec.counted then
        code:op("mov32 a, fullest[%d]", number - 1)
        code:op("max32 a, a, %d", count_of(spec, class))
        code:op("mov32 fullest[%d], a", number - 1)
      end
    end)
  end
  for class = 0, classes - 1 do
    code:op("wait in%d", class)
    code:op("wait in%d", class + kHalf)
    where_bit(code, step[class], format("kept%d_%d", number, class), function()
      code:op("mov32 %s, %s", elements_of(spec, spec.array, class),
              elements_of(spec, "$coming", class))
    end)
  end
end

-- The phase itself; code continues after it.
function exchange_program.phase(code, spec)
  code:op("mark $begin")
  code:op("mov32 step, 1")
  code:op("activate $exchange")
  code:op("end")
  code:line("task $exchange:")
  for number = 1, #spec.steps do code:op("beq step, %d, $step%d", number, number) end
  for number = 1, #spec.steps do
    code:line("$step%d:", number)
    if spec.swaps then swap_program.step(code, spec, number) else one_step(code, spec, number) end
    if number < #spec.steps then
      code:op("add32 step, step, 1")
      code:op("activate $exchange")
      code:op("end")
    end
  end
  code:op("mark $end")
end

return exchange_program
