-- A register bounds a slice.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fmovs(v[{0, k}], 1.0)
end)
--- expect
--- builder_bound.lua:7: a bound of a slice of v is the register 'k'; it is computed before the run, from numbers, constants and parameters
--- called from
---   builder_bound.lua:7: in function 'fill'
---   builder_bound.lua:3: in the script
