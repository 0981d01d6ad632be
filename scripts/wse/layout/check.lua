-- Looks at what a user gives, at the call that got it: every mistake is told at the user's line.
local host = require "wse.host"
local type, tostring, pairs, ipairs = type, tostring, pairs, ipairs
local getmetatable = getmetatable
local math_type, min, huge = math.type, math.min, math.huge
local format, find, byte, sub = string.format, string.find, string.byte, string.sub
local concat, sort = table.concat, table.sort

local check = {}

-- The user's line as a text, "row.lua:12"; the same line is the same text.
function check.line()
  local file, line = host.user_line()
  return file and file .. ":" .. line or "?:0"
end

function check.shown(value)
  if type(value) == "string" then return #value < 40 and format("'%s'", value) or "a text" end
  if type(value) == "number" or value == nil then return tostring(value) end
  if type(value) == "boolean" then return tostring(value) end
  local class = type(value) == "table" and getmetatable(value)
  return "a " .. (type(class) == "string" and class or type(value)) -- a region, a colour
end

function check.wanted(call, what, wanted, value)
  host.raise(format("%s: %s is %s; %s is wanted", call, what, check.shown(value), wanted))
end

function check.integer(call, what, value, first, last)
  if math_type(value) == "float" and value % 1 == 0 and value > -2^53 and value < 2^53 then
    value = value // 1 | 0
  end
  if math_type(value) ~= "integer" then check.wanted(call, what, "an integer", value) end
  if value < first or value > last then
    check.wanted(call, what, format("%d to %d", first, last), value)
  end
  return value
end

function check.text(call, what, value)
  if type(value) ~= "string" then check.wanted(call, what, "a text", value) end
  return value
end

function check.one_line(call, what, value)
  check.text(call, what, value)
  if find(value, "[%c]") then host.raise(format("%s: %s is more than a line", call, what)) end
  return value
end

-- A name as the language has them.
function check.name(call, what, value)
  check.text(call, what, value)
  if not find(value, "^[%a_][%w_]*$") then
    check.wanted(call, what, "a name of letters, digits and _", value)
  end
  return value
end

function check.table(call, what, value)
  if type(value) ~= "table" or type(getmetatable(value)) == "string" then
    check.wanted(call, what, "a table", value)
  end
  return value
end

function check.sorted_keys(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = tostring(name) end
  sort(names)
  return names
end

-- Edits that lead from one name to the other.
local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local cost = byte(a, i) == byte(b, j) and 0 or 1
      local best = min(row[j] + 1, row[j - 1] + 1, diagonal + cost)
      diagonal = row[j]
      row[j] = best
    end
  end
  return row[#b]
end

-- "; did you mean 'red'?", or what there is, or nothing if there is nothing.
function check.instead(name, known, none)
  local best, least = nil, huge
  for _, other in ipairs(known) do
    local edits = distance(sub(name, 1, 40), sub(other, 1, 40))
    if edits < least then best, least = other, edits end
  end
  if best == nil then return none or "" end
  if least <= 2 and least < #name then return format("; did you mean '%s'?", best) end
  if #known == 1 then return "; there is only '" .. best .. "'" end
  if #known <= 24 then return "; there are " .. concat(known, ", ") end
  return format("; there are %d others", #known)
end

-- Every key of `options` is one of `known`, a set.
function check.fields(call, options, known)
  if options == nil then return {} end
  check.table(call, "the table of options", options)
  if options[1] ~= nil then
    host.raise(format("%s: options have names, {%s = ...}; here they are a list", call,
                      check.sorted_keys(known)[1]))
  end
  for _, key in ipairs(check.sorted_keys(options)) do
    if not known[key] then
      host.raise(format("%s: unknown option '%s'%s", call, key,
                        check.instead(key, check.sorted_keys(known))))
    end
  end
  return options
end

return check
