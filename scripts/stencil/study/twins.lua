-- The programs of lib/ as equations: what the compiler makes of the same wave, stars and box. A request
-- of acoustic25 or star says sizes, weights and the machine.
local acoustic = require "stencil.acoustic25"
local star = require "stencil.star"
local stencil = require "stencil"
local wave = require "stencil.lib.wave"
local d = stencil.d

local twins = {}

-- Returns the grid of a wave, as of acoustic.request{...} with its source, and its field.
function twins.wave(request)
  local g = stencil.grid{nx = request.nx, ny = request.ny, nz = request.nz, dx = request.dx, dy = request.dy,
                         dz = request.dz, dt = request.dt}
  local p, v = g:field("p"), g:parameter("v", request.velocity)
  local laplacian = d(p, "xx", {order = 8}) + d(p, "yy", {order = 8}) + d(p, "zz", {order = 8})
  g:update{p, 2 * p - p.before + (v * g.dt) ^ 2 * laplacian}
  if request.source then
    g:inject{p, at = request.source, values = function(n) return wave.source(n, request.fmax, request.dt) end}
  end
  return g, p
end

-- Returns the grid of a star or box, which begins with 1 in the middle cell, and its field.
function twins.star(request)
  local nx, ny, nz = request.nx, request.ny, request.nz
  local g = stencil.grid{nx = nx, ny = ny, nz = nz}
  local u = g:field("u", {initial = function(x, y, z)
    return x == nx // 2 and y == ny // 2 and z == nz // 2 and 1.0 or 0.0
  end})
  if request.box then
    local rows = {}
    for k = 1, 3 do rows[k] = table.move(request.box, 3 * k - 2, 3 * k, 1, {}) end
    g:update{u, stencil.box(u, rows)}
    return g, u
  end
  local weights, sum = request.weights, request.weights.centre * u
  for m = 1, request.radius do
    sum = sum + weights.x[m] * (u:at(m) + u:at(-m)) + weights.y[m] * (u:at(0, m) + u:at(0, -m))
    if request.dims == 3 then sum = sum + weights.z[m] * (u:at(0, 0, m) + u:at(0, 0, -m)) end
  end
  g:update{u, sum}
  return g, u
end

-- Runs a program of lib/ and its twin: {nx =, ny =, nz =, steps =, machine =, ...}, with a kernel as of acoustic25, with
-- a shape or coefficients as of star. Returns cycles of both, the distance of their last fields over the
-- largest value, and how words of the twin travel.
function twins.compare(options)
  local library, make = acoustic, twins.wave
  if options.coefficients then library, make = star, twins.star end
  local hand, record, request = library.run(options)
  local g, field = make(request)
  local made = g:run{steps = request.steps, machine = request.machine, force = true}
  local name = request.steps % 2 == 0 and "even" or "odd"
  local largest, worst = 0.0, 0.0
  for y = 0, request.ny - 1 do
    for x = 0, request.nx - 1 do
      local column = record:symbol(x, y, name)
      if type(column) ~= "table" then column = {column} end
      for z = 0, request.nz - 1 do
        largest = math.max(largest, math.abs(column[z + 1]))
        worst = math.max(worst, math.abs(column[z + 1] - made.value(field, x, y, z)))
      end
    end
  end
  assert(largest > 0)
  return {hand = hand.cycles, made = made.cycles, distance = worst / largest, mode = made.step.mode, result = made}
end

return twins
