-- Runs and their records: plain tables with methods that ask the machine.
local host = require "wse.host"
local ipairs, pairs, setmetatable, tostring, type = ipairs, pairs, setmetatable, tostring, type
local format, match, math_type, concat, sort = string.format, string.match, math.type, table.concat, table.sort

local function index_in(value, first, count)
  return math_type(value) == "integer" and value >= first and value < first + count
end

-- An array: elements 1, 2, ... in C order, [height][width][count].
local Array = {__metatable = false}
Array.__index = Array

-- Element i (from 0) at PE (x, y).
function Array:at(x, y, i)
  i = i or 0
  if not (index_in(x, self.x0, self.width) and index_in(y, self.y0, self.height) and
          index_in(i, 0, self.count)) then
    host.raise(format("there is no element (%s, %s, %s); the array has x %d..%d, y %d..%d, i 0..%d",
                      x, y, i, self.x0, self.x0 + self.width - 1, self.y0,
                      self.y0 + self.height - 1, self.count - 1))
  end
  return self[((y - self.y0) * self.width + (x - self.x0)) * self.count + i + 1]
end

local Record = {__metatable = false}
Record.__index = Record

-- The exported array `name` as it is at the end of the run.
function Record:array(name)
  return setmetatable(host.read_array(self, name), Array)
end

-- Any symbol of the program at PE (x, y): a number, or a list if it is an array.
function Record:symbol(x, y, name)
  return host.read_symbol(self, x, y, name)
end

-- How far the exported array `name` is from what is expected, given as an input of wse.run is:
-- {compared, differing = elements, largest = difference, and of its element x, y, i, found, expected}.
function Record:compare(name, expected)
  return host.compare_array(self, name, expected)
end

-- Writes the exported array `name` into a .npy file.
function Record:save(name, file)
  host.save_array(self, name, file)
end

-- Writes the machine of a run that has stopped at max_cycles into a file: wse.run{..., restore = file} continues
-- from there, with the same program, values, machine and profile, to the cycle and the bit.
function Record:checkpoint(file)
  host.record_checkpoint(self, file)
end

-- Returns what each PE did in a run with `profile = true`: arrays with a number for each PE of the mesh, by
-- the names of scripts/FUNCTIONS.md. `link.east` and so on, `ramp.down` and `ramp.up` are arrays of wavelets.
function Record:profile()
  local profile = {link = {}, ramp = {}}
  for _, name in ipairs(host.profile_arrays(self)) do
    local group, port = match(name, "^(%a+)_(%w+)$")
    local own = profile[group] or profile
    own[own == profile and name or port] = setmetatable(host.read_profile(self, name), Array)
  end
  return profile
end

-- Returns the text that the host takes for an event: as it is, or of {x, y} and a cycle.
local function target_text(to)
  if type(to) ~= "table" then return to end
  local x, y, cycle = to[1], to[2], to[3]
  if #to < 2 or #to > 3 or not (math_type(x) and math_type(y)) or (cycle and not math_type(cycle)) then
    host.raise("record:path: to is a table; {x, y} or {x, y, cycle} is wanted")
  end
  return format(cycle and "%s,%s@%s" or "%s,%s", x, y, cycle)
end

-- Returns the steps of the path that are of these kinds.
local function steps_of_kinds(path, kinds)
  if type(kinds) ~= "table" then
    host.raise(format("record:path: kinds is %s; a list such as {\"link\", \"ramp\"} is wanted", tostring(kinds)))
  end
  local wanted = {}
  for _, kind in ipairs(kinds) do
    if not path.kinds[kind] then
      local known = {}
      for name in pairs(path.kinds) do known[#known + 1] = name end
      sort(known)
      host.raise(format("record:path: unknown kind '%s'; there are %s", tostring(kind), concat(known, ", ")))
    end
    wanted[kind] = true
  end
  local steps = {}
  for _, step in ipairs(path.steps) do
    if wanted[step.kind] then steps[#steps + 1] = step end
  end
  return steps
end

-- Returns what the end of a run with `path = true` waited for, or another event of it, `to`: tables by the names of
-- scripts/FUNCTIONS.md. `steps` has those of `kinds` alone, if that is given.
function Record:path(options)
  options = options or {}
  if type(options) ~= "table" then
    host.raise(format("record:path: a table such as {to = \"3,0@120\"} is wanted, not %s", tostring(options)))
  end
  for name in pairs(options) do
    if name ~= "to" and name ~= "kinds" then
      host.raise(format("record:path: unknown field '%s'; there are kinds, to", tostring(name)))
    end
  end
  local path = host.record_path(self, target_text(options.to))
  if options.kinds then path.steps = steps_of_kinds(path, options.kinds) end
  return path
end

-- Tells why PE (x, y) waits when `cycle` cycles are done, and how that ended, as `wsevm why` does: by a second run.
function Record:why(x, y, cycle)
  return host.record_why(self, x, y, cycle)
end

local record = {array = Array}

function record.run(spec)
  return setmetatable(host.run(spec), Record)
end

return record
