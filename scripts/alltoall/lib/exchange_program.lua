-- The phase of a program that brings pieces into another order of nodes, over dimensions of a cube (exchanges.lua): each
-- step is a task, of swaps (swap_program.lua) or of an exchange, in which a node with an odd sum of bits sends its elements
-- to a neighbour and receives those of it into `coming`.
-- A specification: steps (exchanges.plan); array, with `elements` rows of one word; data, its type; counted: the words of
-- the fullest link of each step go to `fullest`. Registers: step, a, those of swaps. Bits are those of x.
local swap_program = require "alltoall.lib.swap_program"

local exchange_program = {}

function exchange_program.declare(code, spec)
  code:line(".%s $coming[%d, 1]", spec.data, spec.elements)
  if spec.counted then code:line(".i32 fullest[%d]", #spec.steps) end
  code:registers(0, {"step"})
  code:registers(4, {"a"})
  local threads = 2
  for _, step in ipairs(spec.steps) do threads = math.max(threads, 2 * #step) end
  for k = 0, threads - 1 do code:declare("microthread", "in" .. k) end
  swap_program.declare(code)
end

-- The sum of the bits of a mask in x, as a formula.
local function sum_of(mask)
  local terms = {}
  for k = 0, 31 do
    if mask >> k & 1 == 1 then terms[#terms + 1] = "x >> " .. k end
  end
  return "(" .. table.concat(terms, " ^ ") .. ") & 1"
end

local function exchange(code, spec, number)
  local step = spec.steps[number]
  code:op("mov32 a, %s", sum_of(step.mask))
  code:op("beq a, 0, $keeps%d", number)
  code:op("mov32 $coming[0:%d, 0], fabin(rx%d) async in0", spec.elements, step.over)
  code:op("mov32 fabout(tx%d), %s[0:%d, 0] async in1", step.over, spec.array, spec.elements)
  if spec.counted then code:op("mov32 fullest[%d], %d", number - 1, spec.elements) end
  code:op("wait in0")
  code:op("wait in1")
  code:op("mov32 %s[0:%d, 0], $coming[0:%d, 0]", spec.array, spec.elements, spec.elements)
  code:line("$keeps%d:", number)
end

-- The phase itself; code continues after it.
function exchange_program.phase(code, spec)
  code:op("mark $begin")
  code:op("mov32 step, 1")
  code:op("activate $exchange")
  code:op("end")
  code:line("task $exchange:")
  for number = 1, #spec.steps do code:op("beq step, %d, $step%d", number, number) end
  for number, step in ipairs(spec.steps) do
    code:line("$step%d:", number)
    if step.over then exchange(code, spec, number) else swap_program.step(code, spec, number) end
    if number < #spec.steps then
      code:op("add32 step, step, 1")
      code:op("activate $exchange")
      code:op("end")
    end
  end
  code:op("mark $end")
end

return exchange_program
