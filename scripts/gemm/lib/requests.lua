-- Checks requests for products: everything that is wrong is said here, with what would fit,
-- before a machine exists.
local algorithms = require "gemm.lib.algorithms"
local checks = require "support.checks"
local elements = require "gemm.lib.elements"
local host = require "wse.host"
local memory_plan = require "gemm.lib.memory_plan"
local multiply = require "gemm.lib.multiply"
local format = string.format

local requests = {}

local kDefaults = {algorithm = "meshgemm", P = 4, type = "f16", multiply = 1, moves = 1,
                   repeats = 1, warmup = 0, input = "random", seed = 1, code = "best",
                   barrier = "none", layers = 1}
local kOther = {M = true, K = true, N = true, Mt = true, Kt = true, Nt = true, accumulate = true,
                a = true, b = true, c = true, banks = true, check = true, machine = true,
                max_cycles = true}

-- The arguments of a request, each with a value of its type.
requests.examples = {
  algorithm = "", P = 1, M = 1, K = 1, N = 1, Mt = 1, Kt = 1, Nt = 1, layers = 1, type = "",
  accumulate = "", multiply = 1, moves = 1, repeats = 1, warmup = 1, barrier = "", input = "",
  seed = 1, a = "", b = "", c = "", banks = 1, code = "", check = true, shares = true,
}

-- M and Mt, ...: one of the two is given, or neither: tiles of 4. Sizes that P does not divide have
-- tiles that are padded.
local function set_sizes(request, options)
  request.sizes = {}  -- as they were asked for, for messages
  for _, name in ipairs{"M", "K", "N"} do
    local tile, parts = name .. "t", name == "K" and request.P * request.layers or request.P
    if options[name] and options[tile] then
      host.raise(format("%s = %s and %s = %s: one of them is wanted", name, tostring(options[name]),
                        tile, tostring(options[tile])))
    end
    if options[name] then
      checks.integer(name, options[name], 1)
      request.sizes[#request.sizes + 1] = format("%s = %d", name, options[name])
      request[tile] = (options[name] + parts - 1) // parts
    else
      request[tile] = checks.integer(tile, options[tile] or 4, 1)
      request.sizes[#request.sizes + 1] = format("%s = %d", tile, request[tile])
      request[name] = request[tile] * parts
    end
  end
end

local function check_layers(request)
  if checks.integer("layers", request.layers, 1) > 1 then
    checks.side("P * layers", request.P * request.layers, 1)
  end
  if request.algorithm == "2.5d" and request.barrier == "step" then
    host.raise("barrier = step: algorithm=2.5d has none")
  end
  if request.algorithm ~= "2.5d" and request.layers > 1 then
    host.raise(format("layers = %d: algorithm=2.5d has that choice", request.layers))
  end
end

local function check_numbers(request)
  checks.side("P", request.P, 1)
  for _, name in ipairs{"multiply", "moves"} do checks.integer(name, request[name], 0, 2) end
  checks.integer("repeats", request.repeats, 1)
  checks.integer("warmup", request.warmup, 0)
  checks.seed("seed", request.seed)
  checks.one_of("algorithm", request.algorithm, algorithms.names)
  checks.one_of("input", request.input, {"random", "positive", "integers"})
  checks.one_of("barrier", request.barrier, {"none", "step"})
  checks.one_of("code", request.code, {"best", "measured"})
end

-- A checked request, with its plan of the memory.
function requests.make(options)
  checks.names("a product", options, kDefaults, kOther)
  local request = {}
  for name, value in pairs(kDefaults) do request[name] = value end
  for name, value in pairs(options) do request[name] = value end
  check_numbers(request)
  if request.algorithm == "2.5d" and not options.layers then request.layers = 2 end
  check_layers(request)
  set_sizes(request, options)
  request.accumulate = request.accumulate or request.type
  request.element = elements.of(request.type, request.accumulate)
  request.rules = algorithms[request.algorithm]
  request.rules.prepare(request)
  request.kernel, request.maps = multiply.kernel(request.code, request.rules.collective)
  local bytes = request.element.input.bytes
  request.a_bytes = memory_plan.tile_bytes(request.Mt * request.Kt, bytes)
  request.b_bytes = memory_plan.tile_bytes(request.Kt * request.Nt, bytes)
  local a_parts, b_parts = request.rules.parts(request)
  request.a_parts, request.b_parts = a_parts, b_parts or a_parts
  request.c_bytes = memory_plan.tile_bytes(request.Mt * request.Nt, request.element.sum.bytes)
  request.plan = memory_plan.make(request)
  memory_plan.check(request)
  return request
end

return requests
