-- Objects that a builder hands out: data, registers, descriptors, labels, ... Each has a kind and a text,
-- which are in a table of their own, so that every index of data can be a subscript.
local host = require "wse.host"
local setmetatable, type, tostring, ipairs = setmetatable, type, tostring, ipairs
local format, math_type, concat, select = string.format, math.type, table.concat, select
local huge, getmetatable = math.huge, getmetatable

local objects = {}
local info = setmetatable({}, {__mode = "k"})

local Object = {__metatable = "operand", __name = "operand"}

-- fields: kind, text; of data also name, type and dimensions, a list.
function objects.new(fields)
  local object = setmetatable({}, Object)
  info[object] = fields
  return object
end

-- The fields of an object; nothing for anything else.
function objects.info(value) return type(value) == "table" and info[value] or nil end

-- A colour of a layout, which is its name here.
function objects.is_colour(value)
  return type(value) == "table" and getmetatable(value) == "colour"
end

-- A number as programs write it: a float stays one, and none loses a digit.
function objects.number(value)
  if math_type(value) == "integer" then return format("%d", value) end
  if value ~= value then return "nan" end
  if value == huge then return "inf" end
  if value == -huge then return "-inf" end
  for digits = 1, 17 do
    local text = format("%." .. digits .. "g", value)
    if text + 0.0 == value then return text:find("[.e]") and text or text .. ".0" end
  end
end

-- An expression: a number, a text, or the name of an object.
function objects.expression(what, value)
  if type(value) == "number" then return objects.number(value) end
  if type(value) == "string" then
    if value:find("^%s*$") then host.raise(what .. " is an empty text") end
    return value
  end
  if objects.is_colour(value) then return tostring(value) end
  local known = objects.info(value)
  if known then return known.text end
  host.raise(format("%s is a %s; a number, a text or an operand is wanted", what, type(value)))
end

-- The same where the program must know it before it runs: no register, no data.
function objects.constant(what, value)
  local known = objects.info(value)
  if known and known.kind ~= "parameter" and known.kind ~= "value" then
    host.raise(format("%s is %s; it is computed before the run, from numbers, constants and " ..
                      "parameters", what, objects.described(known.kind, known.text)))
  end
  return objects.expression(what, value)
end

local function bound(of, value)
  if value == nil or value == "" then return "" end
  return objects.constant("a bound of a slice of " .. of, value)
end

-- first:end:step without spaces, and whether it is a slice.
local function subscript(of, value)
  if type(value) ~= "table" or objects.info(value) then
    local text = objects.expression("a subscript of " .. of, value)
    local known = objects.info(value)
    return text, text:find(":", 1, true) ~= nil, known and known.kind == "fabin"
  end
  local step = value[3] ~= nil and ":" .. bound(of, value[3]) or ""
  return bound(of, value[1]) .. ":" .. bound(of, value[2]) .. step, true, false
end

local function check_element(data, position, value)
  local size = data.dimensions[position]
  if math_type(value) ~= "integer" then return end
  if value < 0 or (math_type(size) == "integer" and value >= size) then
    host.raise(format("%s: subscript %d is %d; this dimension has %s elements, from 0 on",
                      data.name, position, value, tostring(size)))
  end
end

local function part(data, ...)
  local given = select("#", ...)
  local texts, kind = {}, "element"
  for position = 1, given do
    local value = select(position, ...)
    check_element(data, position, value)
    local text, is_slice, gathers = subscript(data.name, value)
    texts[position] = text
    if is_slice then kind = "slice" elseif gathers then kind = "gather" end
  end
  if kind ~= "gather" and given ~= #data.dimensions then
    host.raise(format("%s takes %d subscripts, one for each dimension; %d are given", data.name,
                      #data.dimensions, given))
  end
  return objects.new{kind = kind, text = format("%s[%s]", data.name, concat(texts, ", ")),
                     type = data.type}
end

local function data_of(object, what)
  local data = info[object]
  if data.dimensions == nil then
    host.raise(format("%s is %s; it has no %s", data.text, objects.nouns[data.kind], what))
  end
  return data
end

function Object.__index(object, key) return part(data_of(object, "elements"), key) end
function Object.__call(object, ...) return part(data_of(object, "elements"), ...) end
function Object.__tostring(object) return info[object].text end

-- The number of elements; not known where a dimension is an expression.
function Object.__len(object)
  local count = 1
  for _, size in ipairs(data_of(object, "length").dimensions) do
    if math_type(size) ~= "integer" then
      host.raise(format("how many elements %s has is known when it is assembled; there are [%s]",
                        info[object].name, tostring(size)))
    end
    count = count * size
  end
  return count
end

function Object.__concat(a, b) return tostring(a) .. tostring(b) end

function Object.__newindex(object)
  host.raise(format("an instruction writes elements of %s: b.mov32(%s[i], ...)",
                    info[object].text, info[object].text))
end

objects.nouns = {
  number = "a number", text = "a text", value = "a value", register = "a register",
  scalar = "scalar data", array = "an array", element = "an element", slice = "a slice",
  gather = "a gathered or scattered array", dsr = "a descriptor register", dsd = "a descriptor",
  ring = "a ring or position", fabin = "a fabric input", fabout = "a fabric output",
  mem = "memory", fifo = "a FIFO", microthread = "a microthread", queue = "a queue",
  task = "a task", label = "a label", ["function"] = "a function", colour = "a colour",
  parameter = "a parameter", routing = "a routing", filtering = "a filtering", async = "an ending",
}

-- "the register k", "the number 3".
function objects.described(kind, text)
  return (objects.nouns[kind]:gsub("^an? ", "the ")) .. " '" .. text .. "'"
end

-- Lists of texts: "a, b and c".
function objects.listed(texts)
  if #texts < 2 then return texts[1] or "" end
  local head = {}
  for k, text in ipairs(texts) do
    if k < #texts then head[k] = text end
  end
  return concat(head, ", ") .. " or " .. texts[#texts]
end

return objects
