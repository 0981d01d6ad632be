-- The executive PE: the steps of a program, which name sections. A step is one of
--   {"section", k, {name of a scalar or number, ...}}   k from 1 on, then its immediates
--   {"loop", n, steps}     {"receive", name}  the value of a reduction     {"mark", name}
-- Scalars of 32 bits live in its memory, each called global_NAME. It continues at once; back pressure holds it.
local Code = require "support.code"
local host = require "wse.host"

local executive = {}

local steps_of

local kinds = {}

function kinds.section(code, step, state)
  code:op("mov32 section_out, %d", step[2] - 1)
  local types = state.program.sections[step[2]].immediate_types
  for k, value in ipairs(step[3] or {}) do
    code:op("mov32 value, %s", type(value) == "string" and "global_" .. value
                               or tostring(types[k].bits(value)))
    code:op("mov32 section_out, value")
  end
end

function kinds.loop(code, step, state)
  local label, counter = "loop_" .. state.next_label, state.depth
  state.next_label = state.next_label + 1
  if counter > 7 then host.raise("loops of the executive nest at most 8 deep") end
  code:op("mov32 r%d, %d", counter, step[2])
  code:op("ble   r%d, 0, %s_end", counter, label)
  code:line("%s:", label)
  state.depth = counter + 1
  steps_of(code, step[3], state)
  state.depth = counter
  code:op("sub32 r%d, r%d, 1", counter, counter)
  code:op("bgt   r%d, 0, %s", counter, label)
  code:line("%s_end:", label)
end

function kinds.receive(code, step)
  code:op("mov32 value, total_in")
  code:op("mov32 global_%s, value", step[2])
end

function kinds.mark(code, step) code:op("mark %s", step[2]) end

function steps_of(code, steps, state)
  for _, step in ipairs(steps) do
    local write = kinds[step[1]]
    if not write then
      host.raise(string.format("the executive knows no step '%s'", tostring(step[1])))
    end
    write(code, step, state)
  end
end

-- The program of the executive, for the scalars and sections of `program`.
function executive.text(program, steps)
  local code = Code.new()
  code:head(".program executive")
  for _, scalar in ipairs(program.globals) do
    code:line(".%s global_%s = %s", scalar[2], scalar[1], tostring(scalar[3] or 0))
  end
  code:line(".reg value = r8")
  code:line(".dsr section_out, total_in")
  code:line("task main:")
  code:op("setd section_out, fabout(section, length=1)")
  if program.features.reduction then code:op("setd total_in, fabin(red3, length=1)") end
  steps_of(code, steps, {program = program, depth = 0, next_label = 1})
  code:op("halt")
  return code:text()
end

return executive
