-- A counter that the body sets.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:loop(3, function(i)
  i:set(2)
end)
--- expect
--- mach_loop_counter.lua:5: i1 is set by its loop, not by its body
--- called from
---   mach_loop_counter.lua:5: in function 'f'
---   mach_loop_counter.lua:4: in the script
