-- Ring AllReduce on a row as a library: P - 1 rounds of reduce-scatter, P - 1 rounds of allgather,
-- each of which sends one block of ceil(B / P) elements to the next PE of the ring. If P does not
-- divide B, x has elements after B that nobody looks at.
--
--   ring.run{pattern = "ring-fold", P = 16, B = 256, machine = "model"}.cycles
local flood = require "collectives.operations.flood"
local host = require "wse.host"
local input = require "collectives.lib.input"
local model = require "collectives.model"
local requests = require "collectives.lib.requests"
local ring_mapping = require "collectives.lib.ring_mapping"
local ring_program = require "collectives.lib.ring_program"
local wse = require "wse"
local format = string.format

local ring = {}

-- Whether that is a pattern of this library.
function ring.has(pattern) return tostring(pattern):match("^ring%-") ~= nil end

-- Refuses options that other patterns have and a ring has not.
local function refuse(options)
  for _, name in ipairs{"S", "planner", "via", "code", "root"} do
    if options[name] ~= nil then
      host.raise(format("%s = %s: a ring has no %s", name, tostring(options[name]), name))
    end
  end
  if options.width or options.height then
    host.raise(format("pattern = %s: a ring is on a row, with P", tostring(options.pattern)))
  end
  if options.overlap ~= nil and type(options.overlap) ~= "boolean" then
    host.raise(format("overlap = %s: true or false is wanted", tostring(options.overlap)))
  end
end

-- The elements of x with what pads them must fit too.
local function check_memory(request)
  local memory = host.machine(request.machine).memory_bytes
  local needed = request.width * request.block * request.element.bytes
  if needed > memory then
    host.raise(format("P = %d, B = %d: blocks of %d take %d bytes, and a PE has %d for data and code",
                      request.width, request.B, request.block, needed, memory))
  end
end

local function request_of(options)
  refuse(options)
  local given = {}
  for name, value in pairs(options) do given[name] = value end
  given.overlap = nil
  local request = requests.make(given)
  request.overlap = options.overlap == true
  request.block = (request.B + request.width - 1) // request.width
  check_memory(request)
  return request
end

local names = {[0] = "red", "blue", "green"}

local function place_all(layout, mapping, program)
  local P, colours, from = layout.width, {}, {}
  for c = 0, mapping.colours - 1 do colours[c] = layout:colour(names[c]) end
  for x = 0, P - 1 do
    from[mapping.next[x]] = x
    layout:path(colours[mapping.colour[x]], {{x, 0}, {mapping.next[x], 0}})
  end
  for x = 0, P - 1 do
    layout:place(program, layout:pe(x, 0), {
      rx = colours[mapping.colour[from[x]]], tx = colours[mapping.colour[x]],
      place = mapping.place})
  end
end

local function build(options)
  local request = request_of(options)
  local P = request.width
  local mapping = ring_mapping.make(tostring(request.pattern):match("^ring%-(.*)$"), P)
  local layout = wse.layout(P, 1)
  layout:const("B", request.B)
  if P == 1 then
    requests.place_alone(request, layout)
    return request, mapping, layout
  end
  layout:const("P", P)
  layout:const("block", request.block)
  local name, text = ring_program.make(request.element, request.block, request.overlap)
  layout:program(text)
  place_all(layout, mapping, name)
  return request, mapping, layout
end

-- The layout of a request, to look at or to write.
function ring.layout(options)
  local _, _, layout = build(options)
  return layout
end

-- As reduction.run; the result has also block = elements that a round sends, padding = elements
-- of x after B, overlap = whether rounds overlap. The model's rounds do not.
function ring.run(options)
  local request, mapping, layout = build(options)
  local P, B = request.width, request.B
  local numbers = input.make(P, 1, request.seed, request.element)
  local function value(x, y, i) return i < B and numbers.value(x, y, i) or 0 end
  local record = requests.run(request, layout, value)
  local result = requests.result(request, record)
  local expected = model.allreduce("ring", P, B, {machine = request.machine})
  result.op, result.overlap = request.op, request.overlap
  result.block, result.padding = request.block, P * request.block - B
  result.model_cycles, result.terms = expected.cycles, expected.terms
  local bound = model.lower_bound.allreduce_row(P, B, {machine = request.machine})
  result.lower_bound_cycles = bound.cycles
  result.measured_terms = requests.measured_terms(record, 2 * (P - 1))
  local sums = numbers.expected(B)
  for i = B, P * request.block - 1 do sums[i] = 0 end
  result.max_abs_error = flood.error_of_all(record, sums, P * request.block)
  result.colours, result.controls = mapping.colours, 0
  return result, record
end

-- Returns a line with what a result of `run` has beside that of other patterns.
function ring.text(result)
  return format("%d rounds%s of %d elements%s", 2 * (result.P - 1),
                result.overlap and ", overlapped," or "", result.block,
                result.padding > 0 and format(", x padded with %d", result.padding) or "")
end

return ring
