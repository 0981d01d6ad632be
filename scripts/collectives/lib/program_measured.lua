-- The code of a PE as published programs have it, whose cycles others measured: every message but
-- the last is an instruction of its own on a microthread, which ends in a task; the last one is one
-- instruction with the send; descriptors are loaded for each instruction.
local format = string.format

local program_measured = {}

local function take(lines, element, k, then_task)
  lines[#lines + 1] = format("    %s x, x, fabin(rx%d) async receiving activate %s",
                             element.combine, k, then_task)
end

-- Starts run k; the task `after<k>` takes what is left of it and goes on.
local function start_run(lines, run, element, k)
  if run.many then lines[#lines + 1] = format("    mov32 left, n%d", k) end
  take(lines, element, k, "after" .. k)
  lines[#lines + 1] = format("  task after%d:", k)
  if run.many then
    lines[#lines + 1] = "    sub32 left, left, 1"
    lines[#lines + 1] = format("    beq left, 0, done%d", k)
    take(lines, element, k, "after" .. k)
    lines[#lines + 1] = "    end"
    lines[#lines + 1] = format("  done%d:", k)
  end
end

local function last_line(shape, element)
  local k = #shape.earlier + 1
  local to = shape.advance and "fabout(tx, advance)" or "fabout(tx)"
  if shape.sends and shape.last then
    return format("    %s %s, x, fabin(rx%d)", element.combine, to, k)
  elseif shape.sends then
    return format("    %s %s, x", element.move, to)
  elseif shape.last then
    return format("    %s x, x, fabin(rx%d)", element.combine, k)
  end
end

-- As program_best.lines.
function program_measured.lines(shape, element)
  local lines, counted = {}, false
  for _, run in ipairs(shape.earlier) do counted = counted or run.many end
  if counted then lines[1] = "  .reg left" end
  if #shape.earlier > 0 then lines[#lines + 1] = "  .microthread receiving" end
  lines[#lines + 1] = "  task main:"
  lines[#lines + 1] = "    mark begin"
  for k, run in ipairs(shape.earlier) do start_run(lines, run, element, k) end
  lines[#lines + 1] = last_line(shape, element)
  return lines
end

return program_measured
