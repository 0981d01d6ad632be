-- An error in the user's function.
local wse = require "wse"
wse.heat_map{width = 2, height = 2, values = function(x, y)
  return x.value + y
end}
