-- JSON texts of Lua values: names sorted, two spaces a level, what fits into a line on one line.
local host = require "wse.host"
local number_text = require "wse.number_text"
local type, next, tostring, math_huge = type, next, tostring, math.huge
local format, gsub, rep, byte, sub = string.format, string.gsub, string.rep, string.byte, string.sub
local find, concat, sort, utf8_len = string.find, table.concat, table.sort, utf8.len

local line_columns <const> = 100
local max_depth <const> = 64  -- also what ends a table that holds itself

local escapes = {['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r"}

local function escape(character)
  return escapes[character] or format("\\u%04x", byte(character))
end

-- Bytes that are no UTF-8 become U+FFFD.
local function valid_text(text)
  local parts, from = {}, 1
  while true do
    local length, bad = utf8_len(text, from)
    if length then return concat(parts) .. sub(text, from) end
    parts[#parts + 1] = sub(text, from, bad - 1) .. "\u{FFFD}"
    from = bad + 1
  end
end

local function quoted(text)
  return '"' .. gsub(valid_text(text), '[%c"\\]', escape) .. '"'
end

-- The names of an object, sorted; nothing for a list, {} being one.
local function names_of(value, place)
  local size, names = #value, {}
  local count = 0
  for name in next, value do
    count = count + 1
    if type(name) == "string" then names[#names + 1] = name end
  end
  if #names == 0 and count == size then return nil end
  if #names < count then
    host.raise(format("%s: a table is either a list without holes or has names alone", place))
  end
  sort(names)
  return names
end

local text_of

local function parts_of(value, place, depth)
  local parts = {}
  local names = names_of(value, place)
  for k = 1, names and #names or #value do
    local name = names and names[k] or k
    local inside = format(names and "%s.%s" or "%s[%s]", place, tostring(name))
    local text = text_of(value[name], inside, depth + 1)
    parts[k] = names and quoted(name) .. ": " .. text or text
  end
  return parts, names and "{" or "[", names and "}" or "]"
end

local function table_text(value, place, depth)
  if depth > max_depth then
    host.raise(format("wse.json: tables are nested more than %d deep, or one holds itself",
                      max_depth))
  end
  local parts, open, close = parts_of(value, place, depth)
  local line = open .. concat(parts, ", ") .. close
  if 2 * depth + #line <= line_columns and not find(line, "\n", 1, true) then return line end
  local indent = "\n" .. rep("  ", depth + 1)
  return open .. indent .. concat(parts, "," .. indent) .. "\n" .. rep("  ", depth) .. close
end

function text_of(value, place, depth)
  local kind = type(value)
  if kind == "table" then return table_text(value, place, depth) end
  if kind == "string" then return quoted(value) end
  if kind == "nil" then return "null" end
  if kind == "boolean" then return tostring(value) end
  if kind ~= "number" then host.raise(format("%s: JSON has no %s", place, kind)) end
  if value ~= value or value == math_huge or value == -math_huge then
    host.raise(format("%s: JSON has no %s", place, number_text(value)))
  end
  return number_text(value)
end

local module = {}

-- Without a newline after it.
function module.json(value) return text_of(value, "wse.json: value", 0) end

function module.write_json(file, value)
  host.write_text(file, text_of(value, "wse.write_json: value", 0) .. "\n")
end

return module
