-- A message along a row of PEs: one text with a constant, run for several lengths.
local wse = require "wse"

local row = [[
.const P = 4
.grid P, 1
.colour red
.program sender
  .f32 x[3] exported
  task main:
    fmovs fabout(red), x
.program receiver
  .f32 y[3] exported
  task main:
    fmovs y, fabin(red)
.place sender at (0, 0)
.place receiver at (P - 1, 0)
.route red at (0, 0): ramp -> east
.route red at (1..P - 2, 0): west -> east
.route red at (P - 1, 0): west -> ramp
]]

local longest = wse.argument("P", 16, 2, 65535)
local length = 2
while length <= longest do
  local record = wse.run{
    text = row,
    values = {P = length},
    inputs = {x = function(x, y, i) return i + 0.5 end},
  }
  print(string.format("%3d PEs: %3d cycles, y = %s", length, record.cycles,
                      table.concat(record:array("y"), " ")))
  length = 2 * length
end
