-- An error in the user's function.
local wse = require "wse"
wse.heat_map{width = 2, height = 2, values = function(x, y)
  return x.value + y
end}
--- expect
--- heat_map_function.lua:4: attempt to index a number value (local 'x')
--- called from
---   heat_map_function.lua:4: in the function of line 3
---   heat_map_function.lua:3: in the script
