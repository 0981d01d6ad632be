-- The code of a PE at its best: no tasks, descriptors loaded once and before anything comes. All
-- messages of a run are one instruction over a ring; the last message is one with the send.
local stage = require "collectives.lib.stage"
local format = string.format

local best_code = {}

-- Descriptor registers that are loaded ahead; what comes after them is loaded at its use.
local kLoadedAhead = 12

-- Descriptors get names and are loaded ahead, as long as there are registers.
local function operand(out, name, text)
  for _, known in ipairs(out.ahead) do
    if known.name == name then return name end
  end
  if #out.ahead == kLoadedAhead then return text end
  out.ahead[#out.ahead + 1] = {name = name, text = text}
  return name
end

local function take_runs(out, shape, element)
  local prefix = shape.prefix
  for k, run in ipairs(shape.earlier) do
    local ring = format("circular(x, length=%sn%d * B)", prefix, k)
    local into = run.many and operand(out, prefix .. "ring" .. k, ring)
                 or operand(out, "whole", "x")
    local from = operand(out, prefix .. "from" .. k, format("fabin(%srx%d)", prefix, k))
    out.body[#out.body + 1] = format("    %s %s, %s, %s", element.combine, into, into, from)
  end
end

local function send(out, shape, element)
  if not shape.sends then return end
  local prefix, ahead = shape.prefix, #shape.earlier > 0
  local to = format(shape.advance and "fabout(%stx, advance)" or "fabout(%stx)", prefix)
  local last = #shape.earlier + (shape.same and 0 or 1)
  local from, whole = format("fabin(%srx%d)", prefix, last), "x"
  if ahead then
    to, whole = operand(out, prefix .. "to", to), operand(out, "whole", whole)
  end
  if shape.last then
    if ahead then from = operand(out, prefix .. "from" .. last, from) end
    out.body[#out.body + 1] = format("    %s %s, %s, %s", element.combine, to, whole, from)
  else
    out.body[#out.body + 1] = format("    %s %s, %s", element.move, to, whole)
  end
end

-- The instructions of a stage and, beside them, those that load its descriptors.
local function stage_lines(out, shape, element)
  local before, loads = #out.ahead, {}
  out.body = {}
  take_runs(out, shape, element)
  send(out, shape, element)
  stage.control(out.body, shape)
  for k = before + 1, #out.ahead do
    loads[#loads + 1] = format("    setd %s, %s", out.ahead[k].name, out.ahead[k].text)
  end
  return {body = out.body, loads = loads}
end

local function append(lines, more)
  for _, text in ipairs(more) do lines[#lines + 1] = text end
end

-- The lines of a program for PEs of these stages (programs.lua). What a second stage needs is
-- loaded where the first one waits: for its flood, or, where it floods itself, for its messages.
function best_code.lines(stages, element)
  local out, parts, names, lines = {ahead = {}}, {}, {}, {}
  for k, shape in ipairs(stages) do parts[k] = stage_lines(out, shape, element) end
  for _, known in ipairs(out.ahead) do names[#names + 1] = known.name end
  if #names > 0 then lines[1] = "  .dsr " .. table.concat(names, ", ") end
  append(lines, {"  task main:", "    mark begin"})
  append(lines, parts[1].loads)
  local second = parts[2] and parts[2].loads or {}
  if not stages[1].sends then append(lines, second) end
  append(lines, parts[1].body)
  if stages[1].sends then append(lines, second) end
  stage.finish(lines, stages[1], element)
  if parts[2] then
    stage.begin(lines, stages[2])
    append(lines, parts[2].body)
    stage.finish(lines, stages[2], element)
  end
  return lines
end

return best_code
