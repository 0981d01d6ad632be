-- The code of a PE at its best: no tasks, descriptors loaded once and before anything comes. All
-- messages of a run are one instruction over a ring; the last message is one with the send.
local format = string.format

local program_best = {}

-- Descriptor registers that are loaded ahead; what comes after them is loaded at its use.
local kLoadedAhead = 12

-- Descriptors get names and are loaded at the start, as long as there are registers.
local function operand(out, name, text)
  for _, known in ipairs(out.ahead) do
    if known.name == name then return name end
  end
  if #out.ahead == kLoadedAhead then return text end
  out.ahead[#out.ahead + 1] = {name = name, text = text}
  return name
end

local function take_runs(out, shape, element)
  for k, run in ipairs(shape.earlier) do
    local into = run.many and operand(out, "ring" .. k, format("circular(x, length=n%d * B)", k))
                 or operand(out, "whole", "x")
    local from = operand(out, "from" .. k, format("fabin(rx%d)", k))
    out.body[#out.body + 1] = format("%s %s, %s, %s", element.combine, into, into, from)
  end
end

local function send(out, shape, element)
  if not shape.sends then return end
  local ahead = #shape.earlier > 0
  local to = shape.advance and "fabout(tx, advance)" or "fabout(tx)"
  local from, whole = format("fabin(rx%d)", #shape.earlier + 1), "x"
  if ahead then
    to, whole = operand(out, "to", to), operand(out, "whole", whole)
  end
  if shape.last then
    if shape.same then from = format("fabin(rx%d)", #shape.earlier) end
    if ahead then from = operand(out, "from" .. #shape.earlier + (shape.same and 0 or 1), from) end
    out.body[#out.body + 1] = format("%s %s, %s, %s", element.combine, to, whole, from)
  else
    out.body[#out.body + 1] = format("%s %s, %s", element.move, to, whole)
  end
end

-- The lines of a program for PEs of this shape (programs.lua), in front of what follows its send.
function program_best.lines(shape, element)
  local out = {ahead = {}, body = {}}
  take_runs(out, shape, element)
  send(out, shape, element)
  local lines, names = {}, {}
  for _, known in ipairs(out.ahead) do names[#names + 1] = known.name end
  if #names > 0 then lines[1] = "  .dsr " .. table.concat(names, ", ") end
  lines[#lines + 1] = "  task main:"
  lines[#lines + 1] = "    mark begin"
  for _, known in ipairs(out.ahead) do
    lines[#lines + 1] = format("    setd %s, %s", known.name, known.text)
  end
  for _, text in ipairs(out.body) do lines[#lines + 1] = "    " .. text end
  return lines
end

return program_best
