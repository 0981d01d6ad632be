-- Requests of collectives, checked: {P} or {width, height}, B, type, op, seed, code, root.
-- Everything that is wrong is said here, before a machine exists. All collectives share the rest:
-- one PE alone, the run, what a run tells.
local elements = require "collectives.lib.elements"
local host = require "wse.host"
local checks = require "support.checks"
local own_trees = require "collectives.lib.own_trees"
local format, tostring = string.format, tostring

local requests = {}

-- A place on a line: first, middle, last or a number.
local function position(name, given, size)
  local named = {first = 0, middle = size // 2, last = size - 1}
  local place = named[given] or math.tointeger(tonumber(given))
  if not place or place < 0 or place >= size then
    host.raise(format("root = %s: first, middle, last or a number of 0..%d is wanted for the %s",
                      tostring(given), size - 1, name))
  end
  return place
end

-- root = place, or "x,y" on a grid.
local function root_of(given, width, height)
  local x, y = tostring(given):match("^([^,]+),([^,]+)$")
  if x then return position("row", x, width), position("column", y, height) end
  if height > 1 and math.tointeger(tonumber(given)) then
    host.raise(format("root = %s: a grid has roots like 0,0 or middle", tostring(given)))
  end
  return position("row", given, width), height > 1 and position("column", given, height) or 0
end

local function check_memory(request)
  local memory = host.machine(request.machine).memory_bytes
  local needed = request.B * request.element.bytes
  if needed > memory then
    host.raise(format("B = %d: x takes %d bytes, and a PE has %d for data and code", request.B,
                      needed, memory))
  end
end

local defaults = {B = 256, type = "f32", op = "add", seed = 1, code = "best", root = "first"}

local known = {P = true, width = true, height = true, pattern = true, S = true, planner = true,
               machine = true, via = true, overlap = true, check = true,
               tree = true, max_cycles = true}

-- The request with all defaults; `row` says whether it is a row of P PEs.
function requests.make(options)
  checks.names("a collective", options, known, defaults)
  local request = {}
  for name, value in pairs(defaults) do request[name] = value end
  for name, value in pairs(options) do request[name] = value end
  request.row = options.width == nil and options.height == nil
  own_trees.add(request)
  if not request.row and options.P then
    host.raise("a collective has P, or width and height, not both")
  end
  request.width = request.row and checks.side("P", request.P, 1)
                  or checks.side("width", options.width, 1)
  request.height = request.row and 1 or checks.side("height", options.height, 1)
  checks.integer("B", request.B, 1)
  checks.seed("seed", request.seed)
  if request.S then checks.integer("S", request.S, 1) end
  request.element = elements.of(request.type, request.op)
  request.root_x, request.root_y = root_of(request.root, request.width, request.height)
  check_memory(request)
  return request
end

local kAlone = [[
.program alone
  .%s x[B] exported
  task main:
    mark begin
    mark end]]

-- One PE sends nothing: what it has is the result.
function requests.place_alone(request, layout)
  layout:program(format(kAlone, request.element.name))
  layout:place("alone", layout:all())
end

-- Runs the layout; x is the input, as wse.run takes it.
function requests.run(request, layout, x)
  return layout:run{inputs = {x = x}, machine = request.machine, max_cycles = request.max_cycles}
end

-- Returns what every collective tells of its run: cycles = last `end` - first `begin`.
function requests.result(request, record)
  local result = {pattern = request.pattern, B = request.B, type = request.type,
                  machine = record.machine,
                  cycles = record.marks["end"].last - record.marks.begin.first}
  if request.row then
    result.P = request.width
  else
    result.width, result.height = request.width, request.height
  end
  return result
end

-- The cost terms as the fabric counted them: L is the way of one message, D is that of the plan.
function requests.measured_terms(record, depth)
  local fabric = record.fabric
  return {E = fabric.hops, L = fabric.max_distance, D = depth, C = fabric.max_ramp_wavelets,
          N = fabric.links_used}
end

return requests
