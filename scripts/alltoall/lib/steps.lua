-- Steps of an algorithm over all dimensions of a cube, as tasks of a program: what cube_steps.lua
-- and mesh_steps.lua share, which say how a step exchanges.
--
-- A message of n elements is dealt out to d cycles: element e to cycle e mod d. In a step of kind t
-- cycle i crosses dimension (t + i) mod d, so there is one task, shift<t>, for each t. All come to
-- `next_step`, which notes the words of the fullest link, the largest of `sent`, in `fullest`, and
-- goes to the task of the next kind.
-- Registers: step (counted from 1), words, left, row, a, b; 6 and following ones are the program's.
-- Descriptors: from, into.
--
-- A specification of steps:
--   d, first: the dimensions are first (0), first + 1, ..., first + d - 1;
--   elements: n of a message; words: of an element; steps: how many;
--   blocks: how many parts of n elements a message has, each dealt out anew (1);
--   source, target: where the elements are sent from and received to; a cube sends what `from`
--     walks along, which `enter` sets, a mesh from `source`. address(code, i, k) leaves in
--     register a the address of those of cycle i, on channel k; `array` has n rows of elements, one
--     after the other, from there on less i, or places(i, k) is an operand that counts from 0;
--   enter(code, t): what a step does first; leave(code, t): last, on a cube; choose(code): jumps to
--     go<t>.
local format = string.format

local steps = {}

function steps.declare(code, spec, links)
  code:line(".i32 $sent[%d]", links)
  code:line(".i32 $fullest[%d]", math.max(spec.steps, 1))
  code:registers(0, {"step", "words", "left", "row", "a", "b"})
  code:declare("dsr", "from")
  code:declare("dsr", "into")
end

-- Elements of cycle i in all parts of a message, in words.
function steps.share(spec, i)
  return (spec.elements - i + spec.d - 1) // spec.d * spec.words * (spec.blocks or 1)
end

-- Cycles that have elements.
function steps.cycles(spec) return math.min(spec.d, spec.elements) end

-- Sets a descriptor to the elements of cycle i.
function steps.set(code, spec, descriptor, place, i, k)
  place.address(code, i, k)
  local operand = place.places and place.places(i, k)
                  or format("%s[%d:%d:%d, :]", place.array, i, spec.elements, spec.d)
  code:op("setd %s, %s", descriptor, operand)
  code:op("setdbase %s, a", descriptor)
end

-- Begins with the first step; where none is run, with what is after them.
function steps.start(code, request)
  code:op("mov32 step, 1")
  code:op("mark $begin")
  if request.steps_run == 0 then
    code:op("jmp $finish")
  else
    code:op("activate $shift0")
    code:op("end")
  end
end

-- All tasks; exchange(t) writes what a step of kind t does after `enter`. After the last step
-- code continues.
function steps.tasks(code, spec, exchange)
  for t = 0, spec.d - 1 do
    code:line("task $shift%d:", t)
    spec.enter(code, t)
    exchange(t)
    code:op("jmp $next_step")
  end
  code:line("$next_step:")
  code:op("mov32 a, 0")
  code:op("max32 a, a, $sent")
  code:op("sub32 b, step, 1")
  code:op("mov32 $fullest[b], a")
  code:op("mov32 $sent, 0")
  code:op("mark $step")
  code:op("add32 step, step, 1")
  code:op("bgt step, %d, $finish", spec.steps)
  spec.choose(code)
  for t = 0, spec.d - 1 do
    code:line("$go%d:", t)
    code:op("activate $shift%d", t)
    code:op("end")
  end
  code:line("$finish:")
  code:op("mark $end")
end

-- Kinds of d rotated Hamiltonian cycles: t_u of step u + 1, the number of zeros below its lowest
-- one.
function steps.choose_by_lowest_one(d)
  return function(code)
    for t = 0, d - 1 do
      code:op("and32 a, step, %d", 1 << t)
      code:op("bne a, 0, $go%d", t)
    end
  end
end

-- Kinds of rotated binomial trees: the number of the highest one. first(code) is done in the first
-- step of a kind.
function steps.choose_by_highest_one(d, first)
  return function(code)
    code:op("sub32 a, step, 1")
    code:op("and32 a, a, step")
    code:op("bne a, 0, $same_kind")
    first(code)
    code:line("$same_kind:")
    for t = 0, d - 1 do code:op("blt step, %d, $go%d", 2 << t, t) end
  end
end

-- Step u + 1 is of kind u.
function steps.choose_in_order(d)
  return function(code)
    for t = 0, d - 1 do code:op("beq step, %d, $go%d", t + 1, t) end
  end
end

return steps
