-- A direct N-body step as a library: every node has m particles, or M are dealt out to all (blocks.lua), all-to-all broadcast brings it those of all others,
-- and it adds up what they do to its own. Which particle is which is of no interest, so nothing is reordered.
--
--   local nbody = require "alltoall.nbody"
--   nbody.run{d = 4, m = 4, machine = "cm200"}.differing
local blocks = require "alltoall.lib.blocks"
local gray = require "alltoall.lib.gray"
local host = require "wse.host"
local indices = require "alltoall.lib.indices"
local nets = require "alltoall.lib.nets"
local program = require "alltoall.lib.nbody_program"
local requests = require "alltoall.lib.requests"
local results = require "alltoall.lib.results"
local pack, unpack = string.pack, string.unpack

local nbody = {}

local kAlgorithms = {names = {"d-cycles"}, topologies = {["d-cycles"] = {hypercube = true}}}
local kDefaults = {algorithm = "d-cycles", type = "f32"}
local kSoftening = 2.0 ^ -7
local kWords = 4        -- of a particle
local kMostPairs = 1 << 18  -- that are computed once more in Lua

local function rounded(value) return (unpack("<f", pack("<f", value))) end

local function request_of(options)
  local request = requests.make(options, {algorithms = kAlgorithms, defaults = kDefaults,
                                          total_steps = function(r) return r.nodes - 1 end, uneven = {["d-cycles"] = true}})
  if request.type ~= "f32" then host.raise("type = " .. request.type .. ": particles have f32") end
  if request.indexed then host.raise("index = move: which particle is which is of no interest") end
  if request.steps ~= nil then host.raise("steps: a step of all pairs is run whole") end
  request.element = {name = "particle", words = kWords, moved_words = kWords, data = "f32",
                     decode = function(list, k) return list[k] end}
  request.blocks = blocks.of(request)
  request.counters, request.blocks_run = math.max(request.steps_run, 1), request.nodes
  request.reorder, request.softening = false, kSoftening
  request.net = nets.of(request)
  local header, values = request.net.channel_parameters()
  request.text, request.parameters = program.text(request, header), values
  requests.check_memory(request, function(m)
    return 4 * ((request.nodes + 1) * m * kWords + 3 * m + request.counters)
  end, request.text)
  return request
end

-- Word w of particle g: a place in a cube of side 2 around 0, a mass of 1/2 to 1.
local function word_of(request, g, w)
  local bits = (g * 0x9E3779B1 + w * 0x85EBCA6B + request.seed * 0x632BE5AB) & 0xFFFFFFFF
  bits = (bits ~ bits >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
  local fraction = (bits >> 9) * 2.0 ^ -23
  return rounded(w == 3 and 0.5 + fraction / 2 or 2 * fraction - 1)
end

-- The acceleration of a particle by a list of particles, each operation rounded by `round`.
local function acceleration(own, all, round)
  local a = {0.0, 0.0, 0.0}
  for _, other in ipairs(all) do
    local d, r2 = {}, kSoftening
    for k = 1, 3 do d[k] = round(other[k] - own[k]) end
    for k = 1, 3 do r2 = round(r2 + round(d[k] * d[k])) end
    local weight = round(other[4] / round(r2 * round(math.sqrt(r2))))
    for k = 1, 3 do a[k] = round(a[k] + round(d[k] * weight)) end
  end
  return a
end

local function particles_of(request)
  local all = {}
  for g = 0, request.M - 1 do
    all[g] = {}
    for w = 0, kWords - 1 do all[g][w + 1] = word_of(request, g, w) end
  end
  return all
end

-- The particles in the order in which a node has them: local block j, element e. A place that is empty has no mass.
local function order_at(request, particles, node)
  local list, m = {}, request.m
  for j = 0, request.nodes - 1 do
    for e = 0, m - 1 do
      local b = indices.d_cycles(node, j, e, request.d, request.order)
      if e < request.blocks.size(b) then list[#list + 1] = particles[request.blocks.element(b, e)] end
    end
  end
  return list
end

-- Compares the accelerations with those that Lua finds, in f32 word by word and in double precision; adds the total
-- momentum that they give, which is 0 but for rounding. Particles beyond kMostPairs pairs are not computed again.
local function compare(result, record, request)
  local particles, block_of = particles_of(request), gray.orders[request.order].block_of
  local count, pairs_left = request.M, kMostPairs
  local momentum, size = {0.0, 0.0, 0.0}, 0.0
  result.differing, result.max_abs_error, result.checked = 0, 0.0, 0
  for node = 0, request.nodes - 1 do
    local force, all = record:symbol(node, 0, "force"), nil
    local b = block_of(node)
    for e = 0, request.blocks.size(b) - 1 do
      local own = particles[request.blocks.element(b, e)]
      local wanted, exact
      if pairs_left >= count then
        all = all or order_at(request, particles, node)
        pairs_left, result.checked = pairs_left - count, result.checked + 1
        wanted = acceleration(own, all, rounded)
        exact = acceleration(own, all, function(value) return value end)
      end
      for k = 1, 3 do
        local found = force[3 * e + k]
        momentum[k], size = momentum[k] + own[4] * found, size + math.abs(own[4] * found)
        if wanted and found ~= wanted[k] then result.differing = result.differing + 1 end
        if exact then result.max_abs_error = math.max(result.max_abs_error, math.abs(found - exact[k])) end
      end
    end
  end
  local largest = math.max(math.abs(momentum[1]), math.abs(momentum[2]), math.abs(momentum[3]))
  result.momentum = size > 0 and largest / size or 0.0  -- one particle has no forces
end

-- The layout of a request, to look at or to write.
function nbody.layout(options) return nets.layout(request_of(options)) end

-- Runs it. The result: what results.lua tells of the broadcast, whose `cycles` are those of its motion, force_cycles,
-- pairs, differing (words of accelerations that are not those of Lua's f32), max_abs_error from double precision,
-- momentum (the sum of all forces by the sum of their sizes); the record is the second result.
function nbody.run(options)
  local request = request_of(options)
  local function mine(node, _, i)
    local b, e = gray.orders[request.order].block_of(node), i // kWords
    return e < request.blocks.size(b) and word_of(request, request.blocks.element(b, e), i % kWords) or 0.0
  end
  local record = nets.layout(request):run{inputs = {mine = mine}, machine = request.machine,
                                          max_cycles = request.max_cycles}
  local result = results.make(request, record)
  result.force_cycles = record.marks.ended.last - record.marks.forces.first
  result.pairs = request.M ^ 2
  compare(result, record, request)
  return result, record
end

return nbody
