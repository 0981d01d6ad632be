-- A shot over two layers, as its receivers record it: with absorbing layers, and in a closed box.
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

-- Returns the traces of all PEs of the slice, two cells below its top.
local function gather(pml)
  local request = shots.request{
    ngrid = ("%d,1,%d"):format(side, side), dgrid = kThin, nsteps = steps, pml = pml, vmax = 3000.0,
    shots = ("%d,0,%d"):format(side // 2, 4), receivers = ("0..%d,0,2"):format(side - 1)}
  request.velocity = function(_, _, z) return z < side // 2 and 2000.0 or 3000.0 end
  local g, fields = acoustic.grid(request)
  acoustic.add_survey(request, g, fields.p, request.cells[1])
  return g:run{steps = steps, force = true}.traces
end

local stride = (steps + kRows - 1) // kRows

local function panel(title, traces)
  local largest = 0.0
  for x = 1, side do
    for step = 1, steps do largest = math.max(largest, math.abs(traces["r" .. x][step])) end
  end
  local range = math.max(kClip * largest, 1e-30)
  return {title = title, width = side, height = (steps + stride - 1) // stride, scale = "diverging",
          range = {-range, range}, label = "pressure", x_label = "receiver", y_label = ("step / %d"):format(stride),
          values = function(x, y) return traces["r" .. x + 1][y * stride + 1] end}, largest
end

local width = math.max(side // 5, 1)
local absorbed, largest = panel("absorbing layers", gather(("%d,%d,0,0,0,%d"):format(width, width, width)))
local closed = panel("a closed box", gather("0"))
wse.plot{file = out .. "/gather.svg", columns = 2, panels = {absorbed, closed}}
print(("%d receivers, %d steps, largest value %.4g"):format(side, steps, largest))
