-- Solves a system of seven points on a wafer, by a method.
local checks = require "support.checks"
local files = require "stencil.lang.files"
local host = require "wse.host"
local methods = require "stencil.solvers.methods"
local plain = require "stencil.reference.plain"
local refine = require "stencil.solvers.refine"
local requests = require "stencil.lib.requests"
local system = require "stencil.solvers.system"
local format, tostring = string.format, tostring

local solvers = {}

local kDefaults = {ngrid = "16,16,32", method = "cg", precision = "f32", tolerance = 1e-5, most = 1000, shift = 0.1, contrast = 10.0, check = false}
local kOthers = {k = true, b = true, out = true, machine = true}
local kMethods = {"cg", "bicgstab", "jacobi", "gauss-seidel"}

-- Returns the values of a file as a function of a cell, or what is there without one.
local function values_of(name, request, otherwise)
  local file = request[name]
  if type(file) == "function" then return file end
  if file == nil then return otherwise end
  checks.file(name, file)
  return files.read(name, "the file", file, request.nx, request.ny, request.nz)
end

-- Returns a checked request from options: {nx, ny, nz, method, tolerance, most, shift, k, b, ...}.
function solvers.request(options)
  local request = requests.of("solve", options, kDefaults, kOthers)
  requests.set_grid(request)
  checks.one_of("method", request.method, kMethods)
  checks.one_of("precision", request.precision, {"f32", "mixed", "refined"})
  checks.positive("tolerance", request.tolerance)
  checks.integer("most", request.most, 1)
  checks.positive("contrast", request.contrast)
  if type(request.shift) ~= "number" or not (request.shift >= 0 and request.shift < math.huge) then
    host.raise(format("shift = %s: a number of at least 0 is wanted", tostring(request.shift)))
  end
  local contrast = request.contrast
  request.k = values_of("k", request, function(x, y, z) return 1 + (contrast - 1) * ((7 * x + 3 * y + 5 * z) % 11) / 10 end)
  request.b = values_of("b", request, function(x, y, z) return (5 * x + 3 * y + 11 * z) % 7 - 3.0 end)
  for y = 0, request.ny - 1 do
    for x = 0, request.nx - 1 do
      for z = 0, request.nz - 1 do
        local k = request.k(x, y, z)
        if not (k > 0 and k < math.huge) then
          host.raise(format("k: %g at cell %d,%d,%d; a number above 0 is wanted", k, x, y, z))
        end
      end
    end
  end
  return request
end

-- Returns what the programs of a request find: {iterations, converged, cycles, cycles_of by kind, bytes, machine, value(x, y, z) of the scaled
-- solution}.
local function solved(request)
  local own = system.of(request, request.precision == "mixed" and "f16" or "f32")
  local v, rr = methods[request.method](own)
  local below = request.tolerance ^ 2 * own.norm2
  own.grid:stop{rr, below = below}
  local result = own.grid:run{steps = request.most, machine = request.machine, split = true}
  return {iterations = result.steps, converged = result.number(rr) <= below, cycles = result.cycles, cycles_of = result.cycles_of,
          bytes = result.step.bytes, machine = result.record.machine,
          value = function(x, y, z) return result.value(v, x, y, z) / own.power end}
end

-- Runs a request. Returns {iterations, converged, residual = the norm of b - A v over that of b in double, cycles, cycles_of by kind, bytes,
-- machine, value(x, y, z) of the solution}; of precision = refined also rounds and cycles_of_rounds, and with check the iterations of
-- plain evaluation in float and double.
function solvers.run(request)
  local whole = system.of(request, "f32")
  if whole.norm2 == 0 then host.raise("b: it is 0 everywhere, and so is the solution") end
  local found = request.precision == "refined" and refine.run(request) or solved(request)
  local scaled = found.value
  found.residual = system.residual(whole, scaled)
  function found.value(x, y, z) return scaled(x, y, z) * whole.scale(x, y, z) end
  if request.check then
    local own = system.of(request, "f32")
    local _, rr = methods[request.method](own)
    own.grid:stop{rr, below = request.tolerance ^ 2 * own.norm2}
    found.iterations_in_float = plain.run(own.grid, request.most, true, true).steps
    found.iterations_in_double = plain.run(own.grid, request.most, false, true).steps
  end
  return found
end

return solvers
