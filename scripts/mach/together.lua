-- Several programs on one wafer, each on a rectangle of its own with its own controller. They share colours,
-- since no link leads from one to another, and nothing else: each takes the time that it takes alone.
local check = require "wse.layout.check"
local host = require "wse.host"
local program = require "mach.program"
local results = require "mach.lang.results"
local wafer = require "mach.lower.wafer"
local format, ipairs, pairs, tostring, type = string.format, ipairs, pairs, tostring, type

local kRows = 3  -- of a controller and its reductions, between the workers

local function checked(k, entry)
  local what = format("mach.wafer: entry %d", k)
  if type(entry) ~= "table" or not program.is_one(entry.program) then
    host.raise(what .. ": {program = p, x = 0, y = 0} is wanted")
  end
  for name in pairs(entry) do
    if name ~= "program" and name ~= "x" and name ~= "y" then
      host.raise(format("%s has no field '%s'; program, x and y are its fields", what, tostring(name)))
    end
  end
  local p = entry.program
  if p.graph.closed then host.raise(what .. ": the program has run or has been laid out before") end
  return {program = p, number = k, left = check.integer("mach.wafer", "x", entry.x or 0, 0, 4094),
          top = check.integer("mach.wafer", "y", entry.y or 0, 0, 4094),
          width = p.width, height = p.height + kRows}
end

local function meet(a, b)
  return a.left < b.left + b.width and b.left < a.left + a.width and a.top < b.top + b.height
         and b.top < a.top + a.height
end

-- The entries with their rectangles; no two may meet, no program may come twice, all want one machine.
local function places_of(entries)
  if type(entries) ~= "table" or #entries == 0 then
    host.raise("mach.wafer: a list of {program = p, x = 0, y = 0} is wanted")
  end
  local places = {}
  for k, entry in ipairs(entries) do
    local place = checked(k, entry)
    for _, other in ipairs(places) do
      if other.program == place.program then
        host.raise(format("mach.wafer: entries %d and %d are one program", other.number, k))
      elseif meet(other, place) then
        host.raise(format("mach.wafer: the %d x %d PEs of entry %d at (%d, %d) meet the %d x %d of entry %d at "
                          .. "(%d, %d)", place.width, place.height, k, place.left, place.top, other.width,
                          other.height, other.number, other.left, other.top))
      elseif other.program.machine ~= place.program.machine then
        host.raise(format("mach.wafer: entries %d and %d want different machines", other.number, k))
      end
    end
    places[k] = place
  end
  return places
end

-- Runs the programs of entries {program =, x =, y =}: x and y are the PE of the wafer where a program's own
-- PE (0, 0) lies, height workers and three rows high. Returns a list of results as p:run gives them, each with
-- the words that differ from its interpreter; user.cycles is that of the whole wafer.
return function(entries)
  local prepared, found = {}, {}
  for k, place in ipairs(places_of(entries)) do prepared[k] = place.program:prepare(place) end
  local record = wafer.run_together(prepared, entries[1].program.machine)
  for k, one in ipairs(prepared) do
    one.user.cycles = record.cycles
    found[k] = results.make(one.program, one.cells, one.user)
  end
  return found
end
