-- Columns of a list of rows: what wse.table and wse.csv take as `rows` and `columns`.
local host = require "wse.host"
local type, next, ipairs, format, sort = type, next, ipairs, string.format, table.sort

local known_fields = {name = true, title = true, format = true}

local function check_rows(who, rows)
  if type(rows) ~= "table" then
    host.raise(format("%s: a list of rows such as {P = 4} is wanted, not a %s", who, type(rows)))
  end
  if #rows == 0 and next(rows) ~= nil then
    host.raise(who .. ": a list of rows such as {{P = 4}, {P = 8}} is wanted; here is one row")
  end
  for k = 1, #rows do
    if type(rows[k]) ~= "table" then
      host.raise(format("%s: row %d is no table but a %s", who, k, type(rows[k])))
    end
  end
end

-- Every field of any row, by name.
local function all_names(who, rows)
  local seen, names = {}, {}
  for k, row in ipairs(rows) do
    for name in next, row do
      if type(name) ~= "string" then
        host.raise(format("%s: row %d: fields have names; it has one called %s", who, k, name))
      end
      if not seen[name] then names[#names + 1] = name end
      seen[name] = true
    end
  end
  sort(names)
  return names
end

local function column_of(who, given)
  if type(given) == "string" then return {name = given, title = given} end
  if type(given) ~= "table" or type(given.name) ~= "string" then
    host.raise(who .. ": a column is a name, or a table such as {name = \"P\", title = \"PEs\"}")
  end
  for field in next, given do
    if not known_fields[field] then
      host.raise(format("%s: column %s: unknown field '%s'; there are name, title, format", who,
                        given.name, field))
    end
  end
  local how = type(given.format)
  if how ~= "nil" and how ~= "string" and how ~= "function" then
    host.raise(format("%s: column %s: its format is a text such as \"%%.2f\" or a function", who,
                      given.name))
  end
  return {name = given.name, title = given.title or given.name, format = given.format}
end

-- A list of {name, title, format}: those that are given, else all there are, sorted.
return function(who, rows, given)
  check_rows(who, rows)
  if given == nil then given = all_names(who, rows) end
  if type(given) ~= "table" then host.raise(who .. ": the columns are a list of names") end
  local columns = {}
  for k = 1, #given do columns[k] = column_of(who, given[k]) end
  return columns
end
