-- Stars and boxes as a library: every step replaces all cells by a weighted sum of neighbours.
--
--   local star = require "stencil.star"
--   star.run{radius = 1, dims = 2, coefficients = "0,0.25", nx = 8, ny = 8, steps = 4}
local box = require "stencil.lib.box"
local checks = require "support.checks"
local compiled = require "stencil.lib.compiled"
local host = require "wse.host"
local machine_run = require "stencil.lib.machine_run"
local paper = require "stencil.lib.paper"
local reference = require "stencil.lib.reference"
local requests = require "stencil.lib.requests"
local format, concat, tostring = string.format, table.concat, tostring

local star = {}

local kDefaults = {nx = 10, ny = 10, steps = 10, dims = 2, shape = "star"}
local kKernels = {paper = paper, box = box, compiled = compiled}
local kKnown = {nz = true, kernel = true, banks = true, radius = true, coefficients = true, block = true, check = true,
                machine = true, max_cycles = true}
kKnown["in"], kKnown["out"] = true, true
for name in pairs(kDefaults) do kKnown[name] = true end

-- How a list of coefficients is meant, or what is wanted of it.
local function refuse_coefficients(request, list, wanted)
  host.raise(format("coefficients = %s: radius = %d, dims = %d wants %s", concat(list, ","),
                    request.radius, request.dims, wanted))
end

-- Sets weights: the centre and the distances 1..r, for all axes alike or for each axis.
local function set_star(request, list)
  local r, dims, axes = request.radius, request.dims, {"x", "y", "z"}
  if #list ~= 1 + r and #list ~= 1 + r * dims then
    local one = r == 1 and "that of distance 1" or format("those of the distances 1 to %d", r)
    refuse_coefficients(request, list, format(
      "%d numbers, the centre and %s, or %d, with distances for each axis", 1 + r, one,
      1 + r * dims))
  end
  request.weights = {centre = list[1], x = {}, y = {}, z = {}}
  for axis = 1, dims do
    for m = 1, r do
      request.weights[axes[axis]][m] = list[#list == 1 + r and 1 + m or 1 + (axis - 1) * r + m]
    end
  end
end

local function set_box(request, list)
  if request.radius ~= 1 or request.dims ~= 2 then
    host.raise(format("shape = box: radius = 1 and dims = 2 are wanted, not %d and %d",
                      request.radius, request.dims))
  end
  if #list ~= 9 then
    host.raise(format("coefficients = %s: a box wants 9 numbers, its rows from north to south",
                      concat(list, ",")))
  end
  request.box = list
end

-- The field begins with a file, or with 1 in the middle cell of the middle PE.
local function set_input(request)
  for _, name in ipairs{"in", "out"} do checks.file(name, request[name]) end
  request.out = request["out"]
  local x0, y0, z0 = request.nx // 2, request.ny // 2, request.nz // 2
  request.inputs = {even = request["in"] or function(x, y, i)
    return x == x0 and y == y0 and i == z0 and 1.0 or 0.0
  end}
end

function star.request(options)
  checks.names("a stencil", options, kKnown)
  local request = {subtracts = false, sample_count = 0, samples = {}}
  for name, value in pairs(kDefaults) do request[name] = value end
  for name, value in pairs(options) do request[name] = value end
  checks.one_of("shape", request.shape, {"star", "box"})
  checks.integer("dims", request.dims, 2, 3)
  request.nz = request.nz or (request.dims == 3 and 10 or 1)
  requests.check_sizes(request)
  request.radius = checks.integer("radius", request.radius or 1, 1, 4)
  if request.coefficients == nil then
    host.raise(format("radius = %d: coefficients are wanted, as in coefficients=%s",
                      request.radius, request.shape == "box" and "1,2,1,2,4,2,1,2,1"
                      or "-4,1" .. (",0"):rep(request.radius - 1)))
  end
  local list = requests.numbers("coefficients", request.coefficients)
  local set = request.shape == "box" and set_box or set_star
  set(request, list)
  request.ghosts = request.dims == 3 and request.radius or 0
  local by_hand = request.shape == "box" and "box" or "paper"
  request.kernel = checks.one_of("kernel", request.kernel or by_hand, {by_hand, "compiled"})
  requests.set_banks(request, request.kernel)
  request.kernel_library = kKernels[request.kernel]
  request.reference = request.shape == "box" and reference.run_box or reference.run
  set_input(request)
  if request.kernel == "box" and request.block and request.block ~= request.nz then
    host.raise(format("block = %s: all planes of a box go together, %d", tostring(request.block),
                      request.nz))
  end
  requests.plan_memory(request, request.kernel_library)
  return request
end

-- Runs it. The result is the table `user`; then the record, the request, the shares and rows of
-- accounts.lua.
function star.run(options)
  local request = star.request(options)
  local result, record, share, rows = machine_run.run(request)
  return result, record, request, share, rows
end

function star.layout(options) return machine_run.layout(star.request(options)) end

return star
