-- wse.sweep: a function over many points, in parallel, with its results in a CSV file.
-- host.run_points runs the points; here is what they are and what becomes of their rows.
local host = require "wse.host"
local points = require "wse.points"
local share = require "wse.sweep_share"
local sweep_file = require "wse.sweep_file"
local number_text = require "wse.number_text"
local csv = require("wse.csv").internal
local type, next, ipairs, tostring, format = type, next, ipairs, tostring, string.format
local find, concat = string.find, table.concat
local pcall, error = pcall, error

local known_fields = {over = true, points = true, order = true, run = true, csv = true,
                      title = true}

local function fail(...) host.raise("wse.sweep: " .. format(...)) end

local function check_fields(spec)
  if type(spec) ~= "table" then
    fail("a table such as {over = {P = {4, 8}}, run = function(p) ... end} is wanted, not a %s",
         type(spec))
  end
  for name in next, spec do
    if not known_fields[name] then
      fail("unknown field '%s'; there are over, points, order, run, csv, title", tostring(name))
    end
  end
  if type(spec.run) ~= "function" then
    fail("run = function(p) ... end is wanted, which returns a table of results")
  end
  if spec.title ~= nil and (type(spec.title) ~= "string" or find(spec.title, "%c")) then
    fail("title: a text of one line is wanted, for the progress line")
  end
  if spec.csv ~= nil and type(spec.csv) ~= "string" then
    fail("csv = \"out/NAME.csv\" is wanted, the name of a file, not a %s", type(spec.csv))
  end
end

local function copy_of(fields)
  local copy = {}
  for name, value in next, fields do copy[name] = value end
  return copy
end

-- "P=4, B=16"
local function label_of(names, point)
  local parts = {}
  for k, name in ipairs(names) do
    local value = point[name]
    parts[k] = name .. "=" .. (type(value) == "number" and number_text(value) or tostring(value))
  end
  return concat(parts, ", ")
end

local function check_twice(list, names)
  local number_of = {}
  for k, point in ipairs(list) do
    local key = csv.line(names, point)
    if number_of[key] then
      fail("the points %d and %d are the same: %s", number_of[key], k, label_of(names, point))
    end
    number_of[key] = k
  end
end

-- The rows of points that the file has, by their number, and the numbers of the others.
local function divide(list, file)
  local rows, open = {}, {}
  for k, point in ipairs(list) do
    rows[k] = file and file.row_of[file:key(point)]
    if not rows[k] then open[#open + 1] = k end
  end
  return rows, open
end

-- A function that checks the names of results: all points have those of the first.
local function result_checker(names, file)
  local first, first_label
  return function(fields, point)
    local results = points.names_of(fields, "the result")
    local list = concat(results, ", ")
    if first == nil then
      first, first_label = list, label_of(names, point)
      for _, name in ipairs(names) do
        if fields[name] ~= nil then
          fail("run returned %s, which is a name of the points (point %s)", name, first_label)
        end
      end
      if file then file:check_results(results) end
    elseif list ~= first then
      fail("run returned %s (point %s), but %s (point %s); every point has the same results",
           list == "" and "nothing" or list, label_of(names, point),
           first == "" and "nothing" or first, first_label)
    end
  end
end

-- The fields of a point that the user's function gets: those with these names.
local function fields_of(point, names)
  local fields = {}
  for _, name in ipairs(names) do fields[name] = point[name] end
  return fields
end

-- Runs the points of the list that the file has not, and gives all rows. `names` are those of the
-- points, `own_names` those that the user knows.
local function run_list(spec, list, names, own_names, file)
  local rows, open = divide(list, file)
  local check_results = result_checker(names, file)
  local to_run = {}
  for k, number in ipairs(open) do to_run[k] = fields_of(list[number], own_names) end

  local function on_row(k, fields)
    local point = list[open[k]]
    check_results(fields, point)
    local row = copy_of(point)
    for name, value in next, fields do row[name] = value end
    if file then file:add(row) end
    rows[open[k]] = row
  end
  local function label(k) return label_of(own_names, list[open[k]]) end

  host.run_points(spec.run, to_run, on_row, label, #list - #open, spec.title)
  if file then file:finish(rows) end
  return rows
end

local function run_share(spec, list, names, part, parts)
  local file, points, titles = share.begin(spec.csv, list, names, part, parts)
  share.finish(file, run_list(spec, points, titles, names, file), #list)
end

local function run(spec)
  local list, names = points.of(spec)
  check_twice(list, names)
  local part, parts = host.share_of_points()
  if part and not (spec.csv and host.has_file(spec.csv)) then
    run_share(spec, list, names, part, parts)
  end
  local with_file = spec.csv and not host.generates()  -- else its rows would say which run is K-th
  local file = with_file and sweep_file(spec.csv, names)
  if part then  -- what the shares of an earlier sweep have been merged into has all its points
    local _, open = divide(list, file)
    if #open > 0 then run_share(spec, list, names, part, parts) end
  end
  return run_list(spec, list, names, names, file)
end

-- Where several ranks run the script: the first does what one process does, with workers of all; the
-- others run points and get its rows, or its error.
return function(spec)
  check_fields(spec)
  local role = host.team_role()
  if role == nil then return run(spec) end
  if role == "follows" then return host.follow_sweep(spec.run) end
  host.begin_sweep()
  local fine, result = pcall(run, spec)
  host.end_sweep(fine, result)
  if not fine then error(result, 0) end
  return result
end
