-- What the studies share: where they write, and runs that need not be made again.
--
-- Arguments of all: out=DIR (out); rows=FILE, the CSV file of an earlier start, whose points are
-- not run again. NAME.csv has every point and what its runs gave, NAME.svg the picture.
local checks = require "support.checks"
local command = require "support.command"
local wse = require "wse"

local study = {}

-- An argument that must lie between two integers; without `most` it may be any from `least` on.
function study.integer(name, default, least, most)
  return command.call(name, checks.integer, name, wse.argument(name, default), least, most)
end

-- Reads these arguments, the last ones: {name, out, csv}.
function study.begin(name)
  local out, rows = wse.argument("out", "out"), wse.argument("rows", "")
  wse.no_more_arguments()
  local self = {name = name, out = out, csv = out .. "/" .. name .. ".csv"}
  if rows ~= "" then wse.write_text(self.csv, wse.read_text(rows)) end
  return self
end

-- The rows of the points, whose names are in `order`.
function study.rows(self, points, order, run)
  return wse.sweep{points = points, order = order, run = run, csv = self.csv, title = self.name}
end

-- One line per value of a field: columns x and y of the rows that `is` takes.
function study.line(name, number, rows, x, y, is)
  local line = {name = name, number = number, x = {}, y = {}}
  for _, row in ipairs(rows) do
    if is(row) and row[y] then line.x[#line.x + 1], line.y[#line.y + 1] = row[x], row[y] end
  end
  return line
end

local kNear = 0.02  -- of the value; not to be told apart in a picture

local function lie_on_each_other(one, other)
  for k, x in ipairs(one.x) do
    if x ~= other.x[k] or math.abs(one.y[k] / other.y[k] - 1) > kNear then return false end
  end
  return #one.x == #other.x
end

-- Lines, of which those that lie on each other become one with all their names.
function study.joined(lines)
  local kept = {}
  for _, line in ipairs(lines) do
    local same
    for _, other in ipairs(kept) do same = same or lie_on_each_other(line, other) and other end
    if same then
      same.name = same.name .. "; " .. line.name
    else
      kept[#kept + 1] = line
    end
  end
  return kept
end

-- Draws the picture; fields as of wse.plot.
function study.draw(self, fields)
  fields.file = self.out .. "/" .. self.name .. ".svg"
  wse.plot(fields)
end

function study.dimensions(nodes)
  local d = 0
  while 1 << d < nodes do d = d + 1 end
  return d
end

return study
