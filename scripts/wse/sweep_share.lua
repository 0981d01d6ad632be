-- A share of a sweep, points=K/N: the points K, K + N, K + 2 N, ... run, and their rows go into a
-- file of their own, out/NAME.K-of-N.csv for out/NAME.csv, with three columns in front that
-- `wsevm merge` checks. The script ends there, since it has not the rows that it would continue with.
local host = require "wse.host"
local sweep_file = require "wse.sweep_file"
local csv = require("wse.csv").internal
local ipairs, next, format = ipairs, next, string.format
local gsub, concat, move = string.gsub, table.concat, table.move

local front = {"sweep_point", "sweep_points", "sweep_inputs"}

local function fail(...) host.raise("wse.sweep: " .. format(...)) end

local function part_name(name, part, parts)
  local name_of_part, endings = gsub(name, "%.csv$", format(".%d-of-%d.csv", part, parts))
  return endings == 1 and name_of_part or format("%s.%d-of-%d", name, part, parts)
end

local function check_names(names, what)
  for _, name in ipairs(names) do
    for _, taken in ipairs(front) do
      if name == taken then
        fail("points=K/N writes a column %s, so no %s has that name", name, what)
      end
    end
  end
end

local function inputs_of(list, names)
  local lines = {csv.title(names)}
  for k, point in ipairs(list) do lines[k + 1] = csv.line(names, point) end
  return host.inputs_digest(concat(lines))
end

-- Rows of another sweep may not stay beside those of this one.
local function check_rows(file, inputs)
  for _, row in ipairs(file.found) do
    if row.sweep_inputs ~= inputs then
      fail("%s has rows of other inputs: the script, its modules, arguments, machine or points " ..
           "were others; remove it", file.name)
    end
  end
end

local share = {}

-- The file of the share and its points. `points` are what the file has in front of the results,
-- numbered as in `list`; nothing stands for the points of other shares.
function share.begin(name, list, names, part, parts)
  if name == nil then fail("points=%d/%d: csv = \"out/NAME.csv\" is wanted, for the rows", part, parts) end
  check_names(names, "point")
  if part > #list then
    host.end_share(format("wse.sweep: there are %d points, none for share %d/%d", #list, part, parts))
  end
  local inputs = inputs_of(list, names)
  local titles = move(names, 1, #names, #front + 1, move(front, 1, #front, 1, {}))
  local file = sweep_file(part_name(name, part, parts), titles)
  check_names(file.results or {}, "result")
  check_rows(file, inputs)
  local points = {}
  for k = part, #list, parts do
    local point = {sweep_point = k, sweep_points = #list, sweep_inputs = inputs}
    for field, value in next, list[k] do point[field] = value end
    points[#points + 1] = point
  end
  return file, points, titles
end

-- Ends the script: `rows` are those of the share.
function share.finish(file, rows, of)
  host.end_share(format("wse.sweep: %s has %d of %d points; wsevm merge joins the files of all shares",
                        file.name, #rows, of))
end

return share
