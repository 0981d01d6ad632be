-- The code of a PE as published programs have it, whose cycles others measured: every message but
-- the last is an instruction of its own on a microthread, which ends in a task; the last one is one
-- instruction with the send; descriptors are loaded for each instruction.
local stage = require "collectives.lib.stage"
local format = string.format

local program_measured = {}

local function take(lines, element, prefix, k)
  lines[#lines + 1] = format("    %s x, x, fabin(%srx%d) async receiving activate %safter%d",
                             element.combine, prefix, k, prefix, k)
end

-- Starts run k; the task `after<k>` takes what is left of it and goes on.
local function start_run(lines, run, element, prefix, k)
  if run.many then lines[#lines + 1] = format("    mov32 left, %sn%d", prefix, k) end
  take(lines, element, prefix, k)
  lines[#lines + 1] = format("  task %safter%d:", prefix, k)
  if run.many then
    lines[#lines + 1] = "    sub32 left, left, 1"
    lines[#lines + 1] = format("    beq left, 0, %sdone%d", prefix, k)
    take(lines, element, prefix, k)
    lines[#lines + 1] = "    end"
    lines[#lines + 1] = format("  %sdone%d:", prefix, k)
  end
end

local function last_line(shape, element)
  local prefix = shape.prefix
  local to = format(shape.advance and "fabout(%stx, advance)" or "fabout(%stx)", prefix)
  local from = format("fabin(%srx%d)", prefix, #shape.earlier + 1)
  if shape.sends and shape.last then
    return format("    %s %s, x, %s", element.combine, to, from)
  elseif shape.sends then
    return format("    %s %s, x", element.move, to)
  elseif shape.last then
    return format("    %s x, x, %s", element.combine, from)
  end
end

-- As program_best.lines.
function program_measured.lines(stages, element)
  local lines, counted, tasks = {}, false, false
  for _, shape in ipairs(stages) do
    for _, run in ipairs(shape.earlier) do counted, tasks = counted or run.many, true end
  end
  if counted then lines[1] = "  .reg left" end
  if tasks then lines[#lines + 1] = "  .microthread receiving" end
  lines[#lines + 1] = "  task main:"
  lines[#lines + 1] = "    mark begin"
  for _, shape in ipairs(stages) do
    stage.begin(lines, shape)
    for k, run in ipairs(shape.earlier) do start_run(lines, run, element, shape.prefix, k) end
    lines[#lines + 1] = last_line(shape, element)
    stage.control(lines, shape)
    stage.finish(lines, shape, element)
  end
  if tasks then lines[#lines + 1] = "    halt" end
  return lines
end

return program_measured
