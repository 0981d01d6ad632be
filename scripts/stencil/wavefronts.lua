-- Elastic waves in slices: the wavefront of a force in a medium with a tilted axis, exact and approximate, P and S in two layers, and what
-- receivers at the surface record of them, wavefronts.svg.
--   wsevm run scripts/stencil/wavefronts.lua out=out
local propagators = require "stencil.modelling.propagators"
local shots = require "stencil.minimod"
local wse = require "wse"
local format = string.format

local side, steps = wse.argument("side", 51, 21, 500), wse.argument("steps", 84, 1, 5000)
local later = wse.argument("later", 195, 1, 5000)  -- steps of the gather
local out = wse.argument("out", "out")
wse.no_more_arguments()

local kThin = "20,1e6,20"  -- a slice: what lies beyond its only plane is too far to matter
local kClip = 0.25         -- of the largest value is the end of the scale
local kRows = 65           -- of the gather, at most

local middle = side // 2

-- Runs a shot in a slice. Returns vz after the last step, a function of x and z, and the traces of vz.
local function run(options, medium)
  local request = {ngrid = format("%d,1,%d", side, side), dgrid = kThin, vmax = 3400.0, velocity = "2800", fmax = 14.0, pml = "0",
                   source = "force_z", shots = format("%d,0,%d", middle, middle), nsteps = steps}
  for name, value in pairs(options) do request[name] = value end
  request = shots.request(request)
  for name, value in pairs(medium or {}) do request[name] = value end
  local propagator = propagators[request.propagator]
  local g, fields = propagator.grid(request)
  propagator.add_survey(request, g, fields, request.cells[1])
  local result = g:run{steps = request.nsteps, force = true}
  return function(x, z) return result.value(fields.vz, x, 0, z) end, result.traces, request.dt
end

local function largest_of(width, height, values)
  local most = 1e-30
  for y = 0, height - 1 do
    for x = 0, width - 1 do most = math.max(most, math.abs(values(x, y))) end
  end
  return most
end

local function panel(title, height, values, y_label)
  local range = kClip * largest_of(side, height, values)
  return {title = title, width = side, height = height, scale = "diverging", range = {-range, range}, label = "vz", x_label = "x, cells",
          y_label = y_label or "z, cells", values = values}
end

local kTilted = {shear = "1500", epsilon = "0.2", delta = "0.05", gamma = "0.1", theta = "40", phi = "0"}
local function tilted(propagator)
  local options = {propagator = propagator}
  for name, value in pairs(kTilted) do options[name] = value end
  return (run(options))
end
local exact, approximate = tilted("elastic_tti"), tilted("elastic_tti_approx")

local width = side // 6
local function in_layers(high, low) return function(_, _, z) return z < side // 2 and high or low end end
local two_layers = {velocity = in_layers(2000.0, 3400.0), shear = in_layers(1100.0, 1900.0), density = in_layers(2000.0, 2400.0)}
local function layered(count)
  return run({propagator = "elastic_iso", surface = "free", pml = format("%d,%d,0,0,0,%d", width, width, width), nsteps = count,
              shots = format("%d,0,%d", middle, side // 5), receivers = format("0..%d,0,0", side - 1)}, two_layers)
end
local between = (steps + later) // 2
local waves = layered(between)
local _, traces, dt = layered(later)

local stride = (later + kRows - 1) // kRows
local function trace(x, row) return traces["r" .. x + 1][math.min(row * stride + 1, later)] end

-- Returns the largest difference of the approximate wavefield, of the largest value.
local function off()
  local most = 0.0
  for x = 0, side - 1 do
    for z = 0, side - 1 do most = math.max(most, math.abs(exact(x, z) - approximate(x, z))) end
  end
  return most / largest_of(side, side, exact)
end

wse.plot{file = out .. "/wavefronts.svg", columns = 2, panels = {
  panel(format("tilted axis, elastic_tti, step %d", steps), side, exact),
  panel(format("elastic_tti_approx, step %d", steps), side, approximate),
  panel(format("two layers, elastic_iso, step %d", between), side, waves),
  panel("what receivers at the surface record", (later + stride - 1) // stride, trace,
        format("time, rows of %d steps, %.2f ms", stride, 1000 * stride * dt))}}
print(format("%d x %d cells, %d steps: the approximation is %.2g of the largest value off", side, side, steps, off()))
