-- With `code=best`: one program for all PEs whose roles (line.lua) have the same shape; colours and numbers of
-- messages are its parameters. Must never know where PEs are.
--
-- A shape is {earlier = {{many =}, ...}, last =, same =, sends =, advance =, control =, flood =,
-- ends =, prefix =, rewrite =}. `earlier` are runs of messages that are taken into x; `last` is one
-- more, taken with the send; `same`: on the colour of the last run, so that the code has one
-- descriptor for both. `flood`, for what follows a reduce: "sends" or "takes" x on one more colour.
-- A role with `following`, another role, has two stages, a shape each; `rewrite` is the text of the
-- routes that the colour of the second one's flood gets in between.
local code = require "collectives.lib.best_code"
local format, concat, max = string.format, table.concat, math.max

local programs = {}

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

local function split(role)
  if role.send and not role.apart then return split_last(role.takes) end
  return role.takes, nil
end

local function add_parameters(parameters, shape)
  local function add(name, kind)
    parameters[#parameters + 1] = format("%s%s: %s", shape.prefix, name, kind)
  end
  if shape.sends then add("tx", "colour") end
  for k, run in ipairs(shape.earlier) do
    add("rx" .. k, "colour")
    if run.many then add("n" .. k, "i32") end
  end
  if shape.last and not shape.same then add("rx" .. #shape.earlier + 1, "colour") end
  if shape.flood then add("flood", "colour") end
end

local function signature(stages)
  local parameters = {}
  for _, shape in ipairs(stages) do add_parameters(parameters, shape) end
  return #parameters > 0 and "(" .. concat(parameters, ", ") .. ")" or ""
end

-- leaf: sends; relay: receives and sends at once; inner_12: receives before that, a digit for each
-- run, 2 for many messages; turn_1: all before it sends; root_1: sends nothing.
local function name_of_shape(shape)
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

-- relay_then_leaf_north_ramp: two stages and the routes that are written between them.
local function name_of(stages)
  local name = name_of_shape(stages[1])
  if not stages[2] then return name end
  return name .. "_then_" .. name_of_shape(stages[2]) .. "_"
         .. stages[2].rewrite:gsub("[^a-z]+", "_")
end

local function text_of(name, stages, element, loads)
  local lines = {format(".program %s%s", name, signature(stages)),
                 format("  .%s x[B] exported", element.name)}
  for _, shape in ipairs(stages) do
    if shape.rewrite then
      lines[#lines + 1] = format("  .routing flooding = [%s]", shape.rewrite)
    end
  end
  for _, text in ipairs(code.lines(code.of(stages, element), loads)) do lines[#lines + 1] = text end
  return concat(lines, "\n")
end

local function shape_of(role, earlier, last)
  local shape = {earlier = {}, last = last ~= nil, sends = role.send ~= nil, prefix = "",
                 advance = role.advance, control = role.control, flood = role.flood,
                 rewrite = role.rewrite, ends = role.send == nil or role.flood ~= nil}
  if role.following then shape.ends = false end
  for k, run in ipairs(earlier) do shape.earlier[k] = {many = run.count > 1} end
  local before = earlier[#earlier]
  shape.same = before ~= nil and before.colour == last
  return shape
end

-- Puts into `colours` {tx =, rx1 =, ...} and into `counts` numbers of messages {n1 =, ...}.
local function add_values(colours, counts, role, earlier, last, shape)
  local prefix = shape.prefix
  colours[prefix .. "tx"], colours[prefix .. "flood"] = role.send, role.flood_colour
  for k, run in ipairs(earlier) do
    colours[format("%srx%d", prefix, k)] = run.colour
    if run.count > 1 then counts[format("%sn%d", prefix, k)] = run.count end
  end
  if not shape.same then colours[format("%srx%d", prefix, #earlier + 1)] = last end
end

-- The stages of a PE, of the role and of what follows it: their shapes, and the values of their
-- parameters as add_values() makes them.
local function stages_of(role)
  local stages, colours, counts = {}, {}, {}
  local part = role
  while part do
    local earlier, last = split(part)
    local shape = shape_of(part, earlier, last)
    shape.prefix = #stages > 0 and "y_" or ""
    add_values(colours, counts, part, earlier, last, shape)
    stages[#stages + 1], part = shape, part.following
  end
  return stages, colours, counts
end

-- The most descriptors that a PE of these cells loads ahead.
local function most_loads(cells, element)
  local most = 0
  for _, cell in ipairs(cells) do
    local of = cell.role and code.of(stages_of(cell.role), element)
    most = max(most, of and #of.ahead or 0)
  end
  return most
end

-- A collection of programs of one type and operation for the PEs of `cells` (grids.lua): `texts`, and
-- `of(role)`, which gives the name of the program and the values of its parameters.
function programs.make(cells, element)
  local known, loads = {}, most_loads(cells, element)
  local self = {texts = {}}

  function self.of(role)
    local stages, colours, counts = stages_of(role)
    local name = name_of(stages)
    if not known[name] then
      known[name] = true
      self.texts[#self.texts + 1] = text_of(name, stages, element, loads)
    end
    return name, colours, counts
  end

  return self
end

return programs
