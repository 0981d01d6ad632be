-- The CSV file of a sweep: rows are added as they come, and found again when the sweep is started
-- again. Only whole lines count. It is read and then written by design: host.continue_text says so,
-- or no output could take the place of what was read. Must never lose a row that it has found.
local host = require "wse.host"
local csv = require("wse.csv").internal
local ipairs, tostring, setmetatable, format = ipairs, tostring, setmetatable, string.format
local concat, move = table.concat, table.move

local File = {}
File.__index = File

local function fail(...) host.raise("wse.sweep: " .. format(...)) end

local function refuse_columns(self, titles, results)
  fail("%s has the columns %s, this sweep has the points' names %s%s; rename or remove it",
       self.name, concat(titles, ", "), concat(self.names, ", "),
       results and " and the results " .. results or "")
end

-- The names of the results, after those of the points.
local function result_titles(self, titles)
  local results = {}
  for k = 1, #titles do
    if k > #self.names then
      results[#results + 1] = titles[k]
    elseif titles[k] ~= self.names[k] then
      refuse_columns(self, titles)
    end
  end
  if #titles < #self.names then refuse_columns(self, titles) end
  return results
end

-- "P=4, B=16"
local function label(self, row)
  local parts = {}
  for k, name in ipairs(self.names) do parts[k] = name .. "=" .. tostring(csv.cell(row[name])) end
  return concat(parts, ", ")
end

local function whole_text(self, rows)
  local lines = {csv.title(self.columns)}
  for _, row in ipairs(rows) do lines[#lines + 1] = csv.line(self.columns, row) end
  return concat(lines)
end

-- Every row has all its results, and no point two that differ: else somebody has changed the file,
-- and it is not known which row is right.
local function check_found(self)
  for _, row in ipairs(self.found) do
    for _, name in ipairs(self.results) do
      if row[name] == nil then
        fail("%s: the row of %s has no %s; remove it", self.name, label(self, row), name)
      end
    end
    local key = self:key(row)
    local other = self.row_of[key]
    if other and csv.line(self.columns, other) ~= csv.line(self.columns, row) then
      fail("%s has two rows of %s that differ; remove one", self.name, label(self, row))
    end
    self.row_of[key] = row
  end
end

-- Reads what the file has; a last line that was cut off goes.
local function read(self)
  local lines, cut = csv.read("wse.sweep", self.name, host.continue_text(self.name))
  if #lines == 0 then
    if cut then fail("%s has no title row; rename or remove it", self.name) end
    return
  end
  self.found = csv.rows("wse.sweep", self.name, lines)
  self:set_results(result_titles(self, lines[1]))
  check_found(self)
  if cut then host.write_text(self.name, whole_text(self, self.found)) end
end

-- Returns what tells a point from others.
function File:key(point) return csv.line(self.names, point) end

function File:set_results(results)
  self.columns = move(results, 1, #results, #self.names + 1, move(self.names, 1, #self.names, 1, {}))
  self.results = results
end

-- Whether results of these names (sorted) fit to what the file has; the first ones decide.
function File:check_results(results)
  if not self.results then return self:set_results(results) end
  if concat(results, "\n") ~= concat(self.results, "\n") then
    refuse_columns(self, self.columns, concat(results, ", "))
  end
end

-- Adds a row. The first comes with the titles, in a file that replaces the empty one.
function File:add(row)
  if self.begun then
    host.append_text(self.name, csv.line(self.columns, row))
  else
    host.write_text(self.name, whole_text(self, {row}))
  end
  self.begun = true
end

-- Replaces the file: these rows in their order, and after them what it has of other points.
function File:finish(rows)
  local mine, all = {}, {}
  for k, row in ipairs(rows) do
    mine[self:key(row)] = true
    all[k] = row
  end
  for _, row in ipairs(self.found) do
    local key = self:key(row)
    if not mine[key] then all[#all + 1] = self.row_of[key] end
    mine[key] = true
  end
  host.write_text(self.name, whole_text(self, all))
end

-- The file `name` of a sweep whose points have these names. It is made at once, if there is none.
return function(name, names)
  local self = setmetatable({name = name, names = names, found = {}, row_of = {}}, File)
  read(self)
  self.begun = self.results ~= nil
  return self
end
