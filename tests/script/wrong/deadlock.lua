-- A run that ends badly, from inside a function.
local wse = require "wse"
wse.argument("size")
local function run()
  wse.run{text = [[
.grid 1, 1
.colour red
.program p
  task main:
    mov32 r1, fabin(red)
.place p at (0, 0)
.route red at (0, 0): ramp -> ramp
]]}
end
run()
--- expect
--- deadlock.lua:5: wse.run: deadlock after 0 cycles: nothing can move and 1 of 1 PEs with a program are not done
---   PE(0, 0) (main) at deadlock.lua(5):5 received 0 of 1 word of red and waits: the next should come from PE(0, 0), where program p (placed at deadlock.lua(5):6) never sends red
---   PE(0, 0) waits for itself
--- called from
---   deadlock.lua:5: in function 'run'
---   deadlock.lua:15: in the script
