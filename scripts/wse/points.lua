-- The points of a sweep: the product of `over`, or the list `points`, each a table of numbers, texts
-- and flags under the same names.
local host = require "wse.host"
local type, next, ipairs, tostring, format = type, next, ipairs, tostring, string.format
local sort, concat = table.sort, table.concat

local points = {}

local value_kinds = {number = true, string = true, boolean = true}

local function fail(...) host.raise("wse.sweep: " .. format(...)) end

-- The names of a table, sorted.
function points.names_of(fields, what)
  local names = {}
  for name in next, fields do
    if type(name) ~= "string" then
      fail("%s: its fields have names; %s is no name", what, tostring(name))
    end
    names[#names + 1] = name
  end
  sort(names)
  return names
end

local function check_value(value, place)
  if not value_kinds[type(value)] then
    fail("%s: a number, a text or a flag is wanted, not a %s", place, type(value))
  end
end

local function check_over(over, names)
  if type(over) ~= "table" or #names == 0 then
    fail("over = {P = {4, 8}, ...} is wanted: a list of values for each name")
  end
  for _, name in ipairs(names) do
    local values = over[name]
    if type(values) ~= "table" or #values == 0 then
      fail("over.%s: a list of values is wanted", name)
    end
    for k = 1, #values do check_value(values[k], format("over.%s[%d]", name, k)) end
  end
end

-- The last name varies fastest.
local function product(over, names)
  local list = {{}}
  for _, name in ipairs(names) do
    local longer = {}
    for _, point in ipairs(list) do
      for _, value in ipairs(over[name]) do
        local copy = {[name] = value}
        for field, own in next, point do copy[field] = own end
        longer[#longer + 1] = copy
      end
    end
    list = longer
  end
  return list
end

local function copies(list, names)
  local result = {}
  for k = 1, #list do
    local what = format("points[%d]", k)
    if type(list[k]) ~= "table" then fail("%s: a table such as {P = 4} is wanted", what) end
    local own = concat(points.names_of(list[k], what), ", ")
    local wanted = concat(names, ", ")
    if own ~= wanted then fail("%s has the fields %s; the first has %s", what, own, wanted) end
    result[k] = {}
    for _, name in ipairs(names) do
      check_value(list[k][name], what .. "." .. name)
      result[k][name] = list[k][name]
    end
  end
  return result
end

local function check_order(order, names)
  local given = {}
  if type(order) == "table" then
    for k = 1, #order do given[k] = tostring(order[k]) end
  end
  sort(given)
  if concat(given, ", ") ~= concat(names, ", ") then
    fail("order: a list of the names %s is wanted", concat(names, ", "))
  end
end

-- The list of points and their names in order.
function points.of(spec)
  if (spec.over == nil) == (spec.points == nil) then
    fail("either over = {P = {4, 8}, ...} or points = {{P = 4}, ...} is wanted")
  end
  local source = spec.over
  if source == nil then
    source = type(spec.points) == "table" and spec.points[1]
    if type(source) ~= "table" then fail("points: a list of tables such as {P = 4} is wanted") end
  end
  local names = type(source) == "table" and
                points.names_of(source, spec.over and "over" or "points[1]") or {}
  if spec.over ~= nil then check_over(spec.over, names) end
  local list = spec.over == nil and copies(spec.points, names)
  local order = names
  if spec.order ~= nil then
    check_order(spec.order, names)
    order = {}
    for k = 1, #spec.order do order[k] = spec.order[k] end
  end
  return list or product(spec.over, order), order
end

return points
