-- One program for all PEs whose roles (line.lua) have the same shape; colours and numbers of
-- messages are its parameters. Must never know where PEs stand.
--
-- A shape is {earlier = {{many =}, ...}, last =, same =, sends =, advance =, control =, flood =},
-- flags all but `flood`: `earlier` are runs of messages that are taken into x; `last` is one more,
-- taken with the send; `same`: on the colour of the last run, so that the best code has one
-- descriptor for both. `flood`, for what follows a reduce: "sends" or "takes" x on one more colour.
local host = require "wse.host"
local format, concat = string.format, table.concat

local programs = {}

local codes = {best = require("collectives.lib.program_best").lines,
               measured = require("collectives.lib.program_measured").lines}

-- Takes the last message off the runs: {colour, ...} of what stays, and that colour.
local function split_last(takes)
  local earlier = {}
  for k, run in ipairs(takes) do earlier[k] = {colour = run.colour, count = run.count} end
  local last = earlier[#earlier]
  if not last then return earlier, nil end
  last.count = last.count - 1
  if last.count == 0 then earlier[#earlier] = nil end
  return earlier, last.colour
end

local function split(role, code)
  if role.send and role.apart then return role.takes, nil end
  if role.send or code == "measured" then return split_last(role.takes) end
  return role.takes, nil
end

local function signature(shape)
  local parameters = {}
  if shape.sends then parameters[1] = "tx: colour" end
  for k, run in ipairs(shape.earlier) do
    parameters[#parameters + 1] = format("rx%d: colour", k)
    if run.many then parameters[#parameters + 1] = format("n%d: i32", k) end
  end
  if shape.last and not shape.same then
    parameters[#parameters + 1] = format("rx%d: colour", #shape.earlier + 1)
  end
  if shape.flood then parameters[#parameters + 1] = "flood: colour" end
  return #parameters > 0 and "(" .. concat(parameters, ", ") .. ")" or ""
end

-- leaf: sends; relay: receives and sends at once; inner_12: receives before that, a digit for each
-- run, 2 for many messages; turn_1: all before it sends; root_1: sends nothing.
local function name_of(shape)
  local digits = {}
  for k, run in ipairs(shape.earlier) do digits[k] = run.many and "2" or "1" end
  local runs = #digits > 0 and "_" .. concat(digits) or ""
  local kind = "root"
  if shape.sends then
    kind = #digits == 0 and (shape.last and "relay" or "leaf") or shape.last and "inner" or "turn"
  end
  return kind .. runs .. (shape.same and "_same" or "") .. (shape.advance and "_advance" or "")
         .. (shape.control and "_control" or "")
end

local function follow(lines, shape, element, code)
  if shape.control then
    lines[#lines + 1] = "    mov32 fabout(tx, control), control(31, ignore(adv))"
  end
  if shape.flood == "sends" then
    lines[#lines + 1] = format("    %s fabout(flood), x", element.move)
  elseif shape.flood == "takes" then
    lines[#lines + 1] = format("    %s x, fabin(flood)", element.move)
  end
  if shape.ends then lines[#lines + 1] = "    mark end" end
  if code == "measured" and #shape.earlier > 0 then lines[#lines + 1] = "    halt" end
end

local function text_of(name, shape, element, code)
  local lines = {format(".program %s%s", name, signature(shape)),
                 format("  .%s x[B] exported", element.name)}
  for _, text in ipairs(codes[code](shape, element)) do lines[#lines + 1] = text end
  follow(lines, shape, element, code)
  return concat(lines, "\n")
end

local function shape_of(role, earlier, last, code)
  local shape = {earlier = {}, last = last ~= nil, sends = role.send ~= nil,
                 advance = role.advance, control = role.control, flood = role.flood,
                 ends = role.send == nil or role.flood ~= nil}
  for k, run in ipairs(earlier) do shape.earlier[k] = {many = run.count > 1} end
  local before = earlier[#earlier]
  shape.same = code == "best" and before ~= nil and before.colour == last
  return shape
end

-- Colours: {tx =, rx1 =, ...}; and numbers of messages: {n1 =, ...}.
local function values_of(role, earlier, last, shape)
  local colours, counts = {tx = role.send, flood = role.flood_colour}, {}
  for k, run in ipairs(earlier) do
    colours["rx" .. k] = run.colour
    if run.count > 1 then counts["n" .. k] = run.count end
  end
  if not shape.same then colours["rx" .. #earlier + 1] = last end
  return colours, counts
end

-- A collection of programs of one type, operation and code: `texts`, and `of(role)`, which gives
-- the name of the program and the values of its parameters as values_of() does.
function programs.make(element, code)
  if not codes[code] then
    host.raise(format("code = %s: best or measured is wanted", tostring(code)))
  end
  local known = {}
  local self = {texts = {}}

  function self.of(role)
    local earlier, last = split(role, code)
    local shape = shape_of(role, earlier, last, code)
    local name = name_of(shape)
    if not known[name] then
      known[name] = true
      self.texts[#self.texts + 1] = text_of(name, shape, element, code)
    end
    return name, values_of(role, earlier, last, shape)
  end

  return self
end

return programs
