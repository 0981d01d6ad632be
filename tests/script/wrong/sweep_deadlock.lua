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
--- expect
--- sweep_deadlock.lua:19: wse.run: deadlock after 6 cycles: nothing can move and 1 of 1 PEs with a program are not done (point words=3)
---   PE(0, 0) (main) at sweep_deadlock.lua(19):10 received 0 of 1 word of red (1 before) and waits: the next should come from PE(0, 0), which is stuck itself after sending 1 word (sweep_deadlock.lua(19):6)
---   PE(0, 0) waits for itself
