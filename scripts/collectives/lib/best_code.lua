-- The code of a PE at its best: no tasks, all descriptors loaded before `begin`. All messages of a run are
-- one instruction over a ring; the last message is one with the send. Must never know where PEs are.
local format = string.format

local best_code = {}

-- Descriptor registers that are loaded ahead; what comes after them is loaded at its use.
local kLoadedAhead = 12

-- A writer of the lines of a stage: its descriptors get names and are loaded ahead, as long as there are
-- registers.
local function operand(out, name, text)
  for _, known in ipairs(out.ahead) do
    if known.name == name then return name end
  end
  if #out.ahead == kLoadedAhead then return text end
  out.ahead[#out.ahead + 1] = {name = name, text = text}
  return name
end

local function add(out, text, ...) out.body[#out.body + 1] = "    " .. format(text, ...) end

local function whole(out) return operand(out, "whole", "x") end

local function take_runs(out, shape, element)
  local prefix = shape.prefix
  for k, run in ipairs(shape.earlier) do
    local ring = format("circular(x, length=%sn%d * B)", prefix, k)
    local into = run.many and operand(out, prefix .. "ring" .. k, ring) or whole(out)
    local from = operand(out, prefix .. "from" .. k, format("fabin(%srx%d)", prefix, k))
    add(out, "%s %s, %s, %s", element.combine, into, into, from)
  end
end

local function send(out, shape, element)
  if not shape.sends then return end
  local prefix = shape.prefix
  local last = #shape.earlier + (shape.same and 0 or 1)
  local to = format(shape.advance and "fabout(%stx, advance)" or "fabout(%stx)", prefix)
  to = operand(out, prefix .. "to", to)
  if shape.last then
    local from = operand(out, prefix .. "from" .. last, format("fabin(%srx%d)", prefix, last))
    add(out, "%s %s, %s, %s", element.combine, to, whole(out), from)
  else
    add(out, "%s %s, %s", element.move, to, whole(out))
  end
end

-- The end of what a PE sends, where a switch is to be turned after it.
local function turn(out, shape)
  if not shape.control then return end
  local prefix = shape.prefix
  local switch = operand(out, prefix .. "switch", format("fabout(%stx, control)", prefix))
  add(out, "mov32 %s, control(31, ignore(adv))", switch)
end

local function flood(out, shape, element)
  if not shape.flood then return end
  local prefix, sends = shape.prefix, shape.flood == "sends"
  local result = operand(out, prefix .. "result",
                         format(sends and "fabout(%sflood)" or "fabin(%sflood)", prefix))
  local to, from = result, whole(out)
  if not sends then to, from = from, to end
  add(out, "%s %s, %s", element.move, to, from)
end

-- The code of a PE of these stages (programs.lua): its instructions, and the descriptors {name =, text =}
-- that are loaded before them.
function best_code.of(stages, element)
  local out = {ahead = {}, body = {}}
  for _, shape in ipairs(stages) do
    -- New routes for the colour of a flood, which has done its work.
    if shape.rewrite then add(out, "setroute %sflood, flooding", shape.prefix) end
    take_runs(out, shape, element)
    send(out, shape, element)
    turn(out, shape)
    flood(out, shape, element)
    if shape.ends then add(out, "mark end") end
  end
  return out
end

-- The lines of a program. `loads`: how many descriptors any PE loads; one that needs fewer loads one
-- again, so that all begin at once.
function best_code.lines(of, loads)
  local names, before = {}, {}
  for k, known in ipairs(of.ahead) do
    names[k], before[k] = known.name, format("    setd %s, %s", known.name, known.text)
  end
  if #names == 0 and loads > 0 then names[1], before[1] = "whole", "    setd whole, x" end
  for k = #before + 1, loads do before[k] = before[1] end
  local lines = {}
  if #names > 0 then lines[1] = "  .dsr " .. table.concat(names, ", ") end
  lines[#lines + 1] = "  task main:"
  table.move(before, 1, #before, #lines + 1, lines)
  lines[#lines + 1] = "    mark begin"
  return table.move(of.body, 1, #of.body, #lines + 1, lines)
end

return best_code
