-- A shot over two layers of rock, with absorbing layers of both kinds at the border and in a closed box: as its receivers
-- record it, gather.svg, and the model with the waves that are left at the end, borders.svg.
--   wsevm run scripts/stencil/gather.lua out=out
local acoustic = require "stencil.modelling.acoustic"
local shots = require "stencil.minimod"
local wse = require "wse"

local side, steps = wse.argument("side", 41, 5, 500), wse.argument("steps", 165, 1, 5000)
local out = wse.argument("out", "out")
wse.no_more_arguments()

local kThin = "20,1e6,20"  -- a slice: what lies beyond its only plane is too far to matter
local kRows = 55           -- of the picture, at most
local kClip = 0.05         -- of the largest value is the end of the scale

local middle = side // 2
local function velocity(_, _, z) return z < middle and 2000.0 or 3000.0 end

-- Returns the traces of all PEs of the slice, two cells below its top, its last wavefield, a function of x and z, and dt.
local function gather(pml, absorber)
  local request = shots.request{
    ngrid = ("%d,1,%d"):format(side, side), dgrid = kThin, nsteps = steps, pml = pml, absorber = absorber, vmax = 3000.0,
    shots = ("%d,0,%d"):format(middle, 4), receivers = ("0..%d,0,2"):format(side - 1)}
  request.velocity = velocity
  local g, fields = acoustic.grid(request)
  acoustic.add_survey(request, g, fields.p, request.cells[1])
  local result = g:run{steps = steps, force = true}
  return result.traces, function(x, z) return result.value(fields.p, x, 0, z) end, request.dt
end

local stride = (steps + kRows - 1) // kRows

local function panel(title, traces, dt)
  local largest = 0.0
  for x = 1, side do
    for step = 1, steps do largest = math.max(largest, math.abs(traces["r" .. x][step])) end
  end
  local range = math.max(kClip * largest, 1e-30)
  return {title = title, width = side, height = (steps + stride - 1) // stride, scale = "diverging",
          range = {-range, range}, label = "pressure", x_label = "receiver", y_label = ("time, rows of %d steps, %.2f ms"):format(stride, 1000 * stride * dt),
          values = function(x, y) return traces["r" .. x + 1][y * stride + 1] end}, largest
end

-- Returns the panel of a wavefield; both have the scale of the larger one.
local function slice(title, wavefield, range)
  return {title = title, width = side, height = side, scale = "diverging", range = {-range, range}, label = "pressure",
          x_label = "x, cells", y_label = "z, cells", values = wavefield}
end

local width = math.max(side // 5, 1)
local widths = ("%d,%d,0,0,0,%d"):format(width, width, width)
local kinds = {{name = "absorber=minimod", pml = widths, absorber = "minimod"},
               {name = "absorber=cpml", pml = widths, absorber = "cpml"}, {name = "a closed box", pml = "0"}}
local gathers, largest, most = {}, 0.0, 0.0
for k, kind in ipairs(kinds) do
  local traces, dt, peak
  traces, kind.wavefield, dt = gather(kind.pml, kind.absorber)
  gathers[k], peak = panel(kind.name, traces, dt)
  largest = math.max(largest, peak)
  kind.left = 0.0
  for x = 0, side - 1 do
    for z = 0, side - 1 do kind.left = math.max(kind.left, math.abs(kind.wavefield(x, z))) end
  end
  most = math.max(most, kind.left)
end
wse.plot{file = out .. "/gather.svg", columns = 3, panels = gathers}

local slices = {{title = "the model", width = side, height = side, label = "m/s", x_label = "x, cells", y_label = "z, cells",
                 values = function(x, z) return velocity(x, 0, z) end}}
for k, kind in ipairs(kinds) do
  slices[k + 1] = slice(("%s, step %d"):format(kind.name, steps), kind.wavefield, math.max(most, 1e-30))
end
wse.plot{file = out .. "/borders.svg", columns = 2, panels = slices}
print(("%d receivers, %d steps, largest value %.4g"):format(side, steps, largest))
for _, kind in ipairs(kinds) do print(("%s: at most %.3g is left after the last step"):format(kind.name, kind.left)) end
