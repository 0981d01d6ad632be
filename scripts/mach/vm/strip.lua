-- A reduction PE: arguments go into a ring that nobody reads, RPCs that are none of its business are
-- empty tasks. A reduction runs beside them on a microthread: the column, then the row to the inner
-- PEs, then these three to the fourth, which has the total. Reductions are blocked meanwhile.
local Code = require "support.code"
local column = require "mach.vm.column"
local entries = require "mach.vm.entries"
local reduce = require "mach.kernels.reduce"

local strip = {}

-- Roles by program: what they add and where they send.
strip.roles = {
  {name = "strip", sends = "red2"}, {name = "strip_first", sends = "red2", last = true},
  {name = "strip_last", sends = "red2", last = true},
  {name = "strip_upper_left", row = true, sends = "red4", turns = true},
  {name = "strip_lower_right", row = true, sends = "red4"},
  {name = "strip_lower_left", row = true, sends = "red4", last = true},
  {name = "strip_total", row = true, centre = true},
}

-- The kinds of reductions of a program: {operation, type of the words}, each with a number.
local function kinds_of(reductions)
  local kinds, number = {}, {}
  for _, kernel in ipairs(reductions) do
    local type = reduce.travels[kernel.reduction.type]
    local key = kernel.reduction.operation .. "_" .. type
    if not number[key] then
      kinds[#kinds + 1] = {operation = kernel.reduction.operation, type = type}
      number[key] = #kinds
    end
  end
  return kinds, number
end

-- Adds words to `stay`, on a microthread that activates `next_task` at its end.
local function stage(code, name, kinds, count, colour, next_task)
  code:line("task %s:", name)
  for k, kind in ipairs(kinds) do
    if k < #kinds then code:op("bne   kind, %d, %s_%d", k, name, k + 1) end
    code:op("%s stay_%s, stay_%s, %s_in async adding activate %s",
            reduce.instruction(kind.operation, kind.type), count, count, colour, next_task)
    if k < #kinds then
      code:op("end")
      code:line("%s_%d:", name, k + 1)
    end
  end
end

local function send(code, role, program)
  code:line("task pass_on:")
  code:op("mov32 value, stay[0]")
  if role.centre then
    code:op("bne   to_workers, 0, broadcast")
    code:op("mov32 controller_out, value")
    code:op("jmp passed")
    code:line("broadcast:")
    code:op("mov32 workers_out, value")
    code:line("passed:")
  else
    code:op("mov32 out, value")
    if role.last then code:op("mov32 out_turn, control(31, ignore(rst))") end
    if role.turns then code:op("mov32 out_turn, control(31, ignore(adv))") end
  end
  for _, kernel in ipairs(program.reductions) do code:op("unblock %s", kernel.name) end
end

local function declarations(code, role, program)
  code:line(".u32 stay[1]")
  code:line(".reg kind, to_workers, value")
  code:line(".dsr stay_column, column_in, out, out_turn")
  if role.row then code:line(".dsr stay_row, row_in") end
  if role.centre then code:line(".dsr stay_centre, centre_in, controller_out, workers_out") end
  code:line(".microthread sink, adding")
end

-- One word that is source and destination of many elements: stride 0.
local function staying(code, name, count)
  code:op("setd stay_%s, stay[0:1]", name)
  code:op("setdstride stay_%s, 0", name)
  code:op("setdlen stay_%s, %d", name, count)
end

local function descriptors(code, role, program)
  local g = program.geometry
  staying(code, "column", column.words(g))
  code:op("setd column_in, fabin(red1)")
  if role.row then
    staying(code, "row", g.merge)
    code:op("setd row_in, fabin(red2)")
  end
  if role.centre then
    staying(code, "centre", 3)
    code:op("setd centre_in, fabin(red4)")
    code:op("setd controller_out, fabout(red3, length=1)")
    code:op("setd workers_out, fabout(red_broadcast, length=1)")
  else
    local advance = not role.last and not role.turns
    code:op("setd out, fabout(%s, %slength=1)", role.sends, advance and "advance, " or "")
    code:op("setd out_turn, fabout(%s, control, length=1)", role.sends)
  end
end

-- Begins a reduction; the task itself is the stage of the column.
local function begin(code, kernel, entry, number, program)
  local reduction = kernel.reduction
  local type = reduce.travels[reduction.type]
  code:line("task %s control %d:", kernel.name, entry)
  for _, other in ipairs(program.reductions) do code:op("block %s", other.name) end
  code:op("mov32 value, %s", reduce.identity[type][reduction.operation])
  code:op("mov32 stay[0], value")
  code:op("mov32 kind, %d", number[reduction.operation .. "_" .. type])
  code:op("mov32 to_workers, %d", reduction.to == "workers" and 1 or 0)
  code:op("%s stay_column, stay_column, column_in async adding activate column_done",
          reduce.instruction(reduction.operation, type))
end

local function log(code, program, number)
  code:op("mov32 control_log[logged], %d", number)
  code:op("add32 logged, logged, 1")
end

-- `program.trace`: the PE strip_first keeps all arguments and the numbers of all RPCs, in order.
function strip.text(role, program)
  local code, trace = Code.new(), program.trace and role.name == "strip_first" and program.trace
  code:head(".program %s", role.name)
  local kinds, number = kinds_of(program.reductions)
  if trace then
    code:line(".u32 arguments_log[%d] exported", trace.arguments + 1)
    code:line(".i32 control_log[%d] exported", trace.control + 1)
    code:line(".reg logged = r10")
  else
    code:line(".u32 dump[8]")
  end
  if #kinds > 0 then declarations(code, role, program) else code:line(".microthread sink") end
  code:line(".passive")
  code:line("task main:")
  if trace then
    code:op("mov32 circular(arguments_log, length=%d), fabin(args, length=endless) async sink",
            trace.arguments + 1)
  else
    code:op("mov32 circular(dump, length=8), fabin(args, length=endless) async sink")
  end
  if #kinds > 0 then descriptors(code, role, program) end
  code:op("unblock ctrl")
  for k, kernel in ipairs(program.entries.direct) do
    local entry = entries.kFirst + k - 1
    if kernel.reduction then
      begin(code, kernel, entry, number, program)
    else
      code:line("task %s control %d:", kernel.name, entry)
      if program.marks and k == 1 and role.name == "strip_upper_left" then code:op("mark arrived") end
    end
    if trace then log(code, program, k) end
  end
  if #program.entries.far > 0 then
    code:line("task far control %d (r11):", entries.kFar)
    if trace then
      code:op("add32 r11, r11, %d", #program.entries.direct + 1)
      code:op("mov32 control_log[logged], r11")
      code:op("add32 logged, logged, 1")
    end
  end
  if #kinds > 0 then
    if role.row then
      stage(code, "column_done", kinds, "row", "row", role.centre and "row_done" or "pass_on")
      if role.centre then stage(code, "row_done", kinds, "centre", "centre", "pass_on") end
    else
      code:line("task column_done:")
      code:op("activate pass_on")
    end
    send(code, role, program)
  end
  return code:text()
end

return strip
