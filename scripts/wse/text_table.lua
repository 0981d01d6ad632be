-- Tables for people: aligned text with a title row. Numbers are aligned right, texts left.
local host = require "wse.host"
local columns_of = require "wse.columns"
local type, tostring, pcall, math_type, utf8_len = type, tostring, pcall, math.type, utf8.len
local format, gsub, rep, concat = string.format, string.gsub, string.rep, table.concat

local function shown(value)
  if value ~= value then return "nan" end
  if math_type(value) == "float" then return format("%.6g", value) end
  return tostring(value)
end

local function formatted(column, value)
  if column.format == nil then return shown(value) end
  local made, text
  if type(column.format) == "function" then
    made, text = true, column.format(value)
  elseif type(value) == "number" then
    made, text = pcall(format, column.format, value)
  else
    return shown(value)
  end
  if made and type(text) == "string" then return text end
  host.raise(format("wse.table: column %s: its format makes no text of %s%s", column.name,
                    shown(value), made and "" or ": " .. text))
end

local function cell_text(column, k, value)
  if value == nil then return "" end
  local kind = type(value)
  if kind ~= "number" and kind ~= "string" and kind ~= "boolean" then
    host.raise(format("wse.table: row %d: %s: a number, a text or a flag is wanted, not a %s", k,
                      column.name, kind))
  end
  return (gsub(formatted(column, value), "%c", " "))
end

local function width_of(text) return utf8_len(text) or #text end

local function pad(text, width, right)
  local space = rep(" ", width - width_of(text))
  return right and space .. text or text .. space
end

-- The cells of one column, its title first, all of one width.
local function column_cells(column, rows)
  local texts, right = {}, {}
  for k = 1, #rows do
    local value = rows[k][column.name]
    texts[k], right[k] = cell_text(column, k, value), type(value) == "number"
    right[0] = right[0] or right[k]
  end
  texts[0] = gsub(tostring(column.title), "%c", " ")
  local width = 0
  for k = 0, #rows do
    local own = width_of(texts[k])
    if own > width then width = own end
  end
  for k = 0, #rows do texts[k] = pad(texts[k], width, right[k]) end
  return texts
end

-- Lines without a newline after the last.
return function(rows, columns)
  columns = columns_of("wse.table", rows, columns)
  local cells = {}
  for c = 1, #columns do cells[c] = column_cells(columns[c], rows) end
  local lines = {}
  for k = 0, #rows do
    local line = {}
    for c = 1, #cells do line[c] = cells[c][k] end
    lines[k + 1] = gsub(concat(line, "  "), " +$", "")
  end
  return concat(lines, "\n")
end
