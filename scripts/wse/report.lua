-- wse.report: runs as a page for a browser, which says what holds them back and shows each PE.
local fields = require "wse.plot.fields"
local host = require "wse.host"
local check = require "wse.layout.check"
local ipairs, pairs, tostring, type = ipairs, pairs, tostring, type
local concat, sort, format = table.concat, table.sort, string.format

local kinds = {file = "string", title = "string", runs = "table", model = "table"}

-- The names and records of `runs`: a list, whose names are run 1, run 2, or a table by name.
local function named(runs)
  local names, records = {}, {}
  if #runs > 0 then
    for k, record in ipairs(runs) do names[k], records[k] = "run " .. k, record end
    return names, records
  end
  for name in pairs(runs) do names[#names + 1] = name end
  sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for k, name in ipairs(names) do
    check.text("wse.report", "the name of a run", name)
    records[k] = runs[name]
  end
  return names, records
end

local function check_model(model, names)
  local known = {}
  for _, name in ipairs(names) do known[name] = true end
  for name in pairs(model) do
    if not known[name] then
      host.raise(format("wse.report: model has '%s', which is no run; there are %s", tostring(name),
                        concat(names, ", ")))
    end
  end
end

-- Writes the page into `file`. The runs have kept profiles: wse.run{profile = true}.
return function(given)
  fields.check("wse.report", given, kinds)
  if not given.file or not given.file:match("%.html$") then
    check.wanted("wse.report", "file", "a name that ends in .html", given.file)
  end
  if not given.runs then check.wanted("wse.report", "runs", "a table of records", given.runs) end
  local names, records = named(given.runs)
  for k, record in ipairs(records) do
    if type(record) ~= "table" then
      check.wanted("wse.report", "run '" .. names[k] .. "'", "a record of wse.run", record)
    end
  end
  if given.model then check_model(given.model, names) end
  host.write_report(given.file, given.title or concat(names, ", "), names, records, given.model)
end
