local wse = require "wse"
local program = [[
.const words = 2
.grid 1, 1
.colour red
.program p(left: i32 = words)
  task main:
    mov32 fabout(red), 1
    mov32 r1, fabin(red)
    mov32 r1, left
    beq r1, 2, done
    mov32 r1, fabin(red)
  done:
.place p at (0, 0)
.route red at (0, 0): ramp -> ramp
]]
wse.sweep{
  over = {words = {2, 3}},
  run = function(p) return {cycles = wse.run{text = program, values = p}.cycles} end,
}
