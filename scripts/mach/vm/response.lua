-- A response PE: waits for the number of a section and sends its part of it, control words first,
-- then the turn, which lets the next response PE through. Each has a program, for its data.
local Code = require "support.code"
local values = require "mach.vm.values"

local response = {}

local kDeclarations = [[
  .reg k, first, count, value, place
  .dsr words, arguments, section_in, control_out, arguments_out, control_turn, arguments_turn
  .microthread control_sending, arguments_sending]]

-- Values of the executive arrive after the number of the section, for all response PEs; each keeps
-- its own, the others go to the element after its arguments.
local kImmediates = [[
    mov32 count, immediate_count[k]
    mov32 first, immediate_first[k]
    add32 count, count, first
  next_value:
    bge   first, count, values_done
    mov32 value, section_in
    mov32 place, places[first]
    mov32 argument[place], value
    add32 first, first, 1
    jmp   next_value
  values_done:]]

-- The turn goes along the way of the words: `adv` lets the merge PE take from the other side, and
-- own routers the next PE. The outermost one adds `rst`, which lets all begin again; that of the
-- right side waits until the merge PE takes from there again.
local function turn(code, descriptor, place)
  local words = place.right and (place.outermost and {"adv", "rst"} or {"adv"})
                or {place.outermost and "rst" or "adv"}
  for _, word in ipairs(words) do
    code:op("mov32 %s, control(31, ignore(%s))", descriptor, word)
  end
end

-- The text of the program `name` of the PE at `place` with its `part`; `marks`: those of the way.
function response.text(name, place, part, with_values, marks)
  local code = Code.new()
  code:head(".program %s", name)
  code:line("%s", values.data("i32", "control_first", part.control_first))
  code:line("%s", values.data("i32", "control_count", part.control_count))
  code:line("%s", values.data("i32", "arguments_first", part.arguments_first))
  code:line("%s", values.data("i32", "arguments_count", part.arguments_count))
  code:line("%s", values.data("u32", "control_word", part.control))
  local list = table.move(part.arguments, 1, #part.arguments, 1, {})
  list[#list + 1] = 0  -- where values of other PEs go
  code:line("%s", values.data("u32", "argument", list))
  if with_values then
    code:line("%s", values.data("i32", "immediate_first", part.immediate_first))
    code:line("%s", values.data("i32", "immediate_count", part.immediate_count))
    code:line("%s", values.data("i32", "places", part.places))
  end
  code:head("%s", kDeclarations)
  code:line(".passive")
  code:line("task main:")
  code:op("setd words, save(control_word)")
  code:op("setd arguments, save(argument)")
  code:op("setd section_in, fabin(section, length=1)")
  code:op("setd control_out, fabout(ctrl_dist)")
  code:op("setd arguments_out, fabout(args_dist)")
  code:op("setd control_turn, fabout(ctrl_dist, control, length=1)")
  code:op("setd arguments_turn, fabout(args_dist, control, length=1)")
  code:line("next:")
  code:op("mov32 k, section_in")
  if marks then code:op("mark received") end
  code:op("mov32 count, control_count[k]")
  code:op("mov32 first, control_first[k]")
  code:op("setdlen words, count")
  code:op("setdpos words, first")
  if marks then code:op("mark started") end
  code:op("mov32 control_out, words async control_sending")
  if with_values then code:head("%s", kImmediates) end
  code:op("mov32 count, arguments_count[k]")
  code:op("mov32 first, arguments_first[k]")
  code:op("setdlen arguments, count")
  code:op("setdpos arguments, first")
  code:op("mov32 arguments_out, arguments async arguments_sending")
  code:op("wait control_sending")
  turn(code, "control_turn", place)
  code:op("wait arguments_sending")
  turn(code, "arguments_turn", place)
  code:op("jmp next")
  return code:text()
end

return response
