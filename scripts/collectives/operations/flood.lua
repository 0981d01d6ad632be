-- Broadcast as a library: PE `root` sends x to all others, which get it into their own x. A flood
-- goes along the root's row and from there along all columns; a message goes to the last PE alone.
--
--   flood.run{pattern = "flood", P = 64, B = 16, root = "middle", machine = "model"}.cycles
local host = require "wse.host"
local input = require "collectives.lib.input"
local model = require "collectives.model"
local requests = require "collectives.lib.requests"
local wse = require "wse"
local format, max, abs = string.format, math.max, math.abs

local flood = {}

local kPrograms = [[
.program root
  .%s x[B] exported
  task main:
    mark begin
    %s fabout(red), x

.program leaf
  .%s x[B] exported
  task main:
    %s x, fabin(red)
    mark end]]

-- The routes of a flood: every PE of the layout but (x, y) gets what that one sends.
function flood.route(layout, colour, x, y)
  layout:multicast(colour, {x, y}, layout:all() - layout:pe(x, y))
end

local function message(layout, red, request)
  local last = {request.width - 1, request.height - 1}
  if request.root_x == last[1] and request.root_y == last[2] then
    host.raise(format("root = %s: a message goes to the last PE, which is the root",
                      tostring(request.root)))
  end
  layout:path(red, {{request.root_x, request.root_y}, last})
  layout:place("leaf", layout:pe(last[1], last[2]))
  return last[1] - request.root_x + last[2] - request.root_y
end

-- Links from the root to the farthest PE.
local function farthest(request)
  return max(request.root_x, request.width - 1 - request.root_x)
         + max(request.root_y, request.height - 1 - request.root_y)
end

local function flood_all(layout, red, request)
  local root = layout:pe(request.root_x, request.root_y)
  flood.route(layout, red, request.root_x, request.root_y)
  layout:place("leaf", layout:all() - root)
  return farthest(request)
end

local patterns = {message = message, flood = flood_all}

-- The layout and the links from the root to the farthest PE that gets x.
local function build(request)
  local make = patterns[request.pattern]
  if not make then
    host.raise(format("pattern = %s: message or flood is wanted", tostring(request.pattern)))
  end
  local layout = wse.layout(request.width, request.height)
  layout:const("B", request.B)
  local element = request.element
  if request.width * request.height == 1 then
    requests.place_alone(request, layout)
    return layout, 0
  end
  local red = layout:colour("red")
  layout:program(format(kPrograms, element.name, element.move, element.name, element.move))
  local distance = make(layout, red, request)
  layout:place("root", layout:pe(request.root_x, request.root_y))
  return layout, distance
end

function flood.layout(options)
  local layout = build(requests.make(options))
  return layout
end

-- The largest difference of x at the PE from `expected`, B numbers from 0.
function flood.error_at(record, expected, B, x, y)
  local found, most = record:symbol(x, y, "x"), 0
  for i = 0, B - 1 do most = max(most, abs(found[i + 1] - expected[i])) end
  return most
end

-- The same of all PEs and all `count` elements.
function flood.error_of_all(record, expected, count)
  local list = table.move(expected, 0, count - 1, 1, {})
  return record:compare("x", {list = list, first = function() return 1 end}).largest
end

local function error_at_end(record, request, numbers)
  local sent = {}
  for i = 0, request.B - 1 do sent[i] = numbers.value(request.root_x, request.root_y, i) end
  if request.pattern ~= "message" then return flood.error_of_all(record, sent, request.B) end
  return flood.error_at(record, sent, request.B, request.width - 1, request.height - 1)
end

local function terms_of(request, links, distance)
  return {E = request.B * links, L = distance, D = math.min(links, 1), C = request.B, N = links}
end

-- Eq. 1 of a flood over `links` links, the farthest PE `distance` of them away.
function flood.estimate_of(request, links, distance)
  local terms = terms_of(request, links, distance)
  return {terms = terms, cycles = model.terms.equation_1(terms, {machine = request.machine})}
end

-- Eq. 1 of the flood of a request.
function flood.estimate(request)
  return flood.estimate_of(request, request.width * request.height - 1, farthest(request))
end

-- As reduction.run.
function flood.run(options)
  local request = requests.make(options)
  local layout, distance = build(request)
  local numbers = input.make(request.width, request.height, request.seed, request.element)
  local record = requests.run(request, layout, numbers.given(request.B))
  local links = request.pattern == "flood" and request.width * request.height - 1 or distance
  local terms = terms_of(request, links, distance)
  local cycles = model.terms.equation_1(terms, {machine = request.machine})
  local result = requests.result(request, record)
  result.model_cycles, result.lower_bound_cycles = cycles, cycles
  result.terms, result.colours = terms, math.min(links, 1)
  result.measured_terms = requests.measured_terms(record, terms.D)
  result.max_abs_error = error_at_end(record, request, numbers)
  return result, record
end

return flood
