-- A wave that travels: the plane of the source after some steps, as a picture:
--   wsevm run scripts/stencil/wave.lua out=out
local acoustic = require "stencil.acoustic25"
local checks = require "support.checks"
local command = require "support.command"
local fields = require "stencil.lib.fields"
local wse = require "wse"

local side = command.call("side", checks.side, "side", wse.argument("side", 33), 1)
local nz = wse.argument("nz", 13)
local steps = wse.argument("steps", 52)
local out = wse.argument("out", "out")
wse.no_more_arguments()

local result, record, request = command.call("nz and steps", acoustic.run, {
  nx = side, ny = side, nz = nz, steps = steps, fmax = 35.0, kernel = "compiled", check = false})
local plane, largest = {}, 0
local all = {x = {0, side - 1}, y = {0, side - 1}}
fields.each_column(record, fields.place(request, "now"), all, function(x, y, column)
  local value = column[nz // 2 + 1]
  plane[y * side + x] = value
  largest = math.max(largest, math.abs(value))
end)
wse.heat_map{file = out .. "/wave.svg", width = side, height = side, scale = "diverging",
             range = {-largest, largest}, label = "pressure", size = 420,
             title = string.format("z = %d after %d steps", nz // 2, steps),
             values = function(x, y) return plane[y * side + x] end}
print(string.format("%d steps: min %.3f, max %.3f", steps, result.min, result.max))
