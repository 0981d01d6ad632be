-- An index that only the wafer finds: the worker's trap names the line of the take.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, k = p:LA("a", 8), p:LS("k", 5000, "i32")
local b = p:LS("b")
b:set(p:take(a, k))
p:run{interpreter = false}
--- expect
--- mach_trap.lua:7: wse.run: trap outside_memory in cycle 33 at PE(3, 1), task take_f32_mach_trap_6 of worker, pc 30, mach_trap.lua:6
---   an address lies outside the data of the program: byte address 20000 of 80 bytes of data
---   it traps at 2 PEs in this cycle: PE(3, 1), PE(3, 5)
