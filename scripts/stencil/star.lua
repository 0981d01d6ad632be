-- Any star of radius 1 to 4 in two or three dimensions, and 3 x 3 boxes:
--   wsevm run scripts/stencil/star.lua radius=1 dims=2 coefficients=0,0.25 nx=16 ny=16 steps=20
-- README.md has the arguments. With require "stencil.star" it gives lib/star.lua.
local star = require "stencil.lib.star"
if ... then return star end  -- a module gets its name

local command = require "stencil.lib.command"

command.main(star, {
  radius = 1, dims = 2, coefficients = "", shape = "", kernel = "", nx = 1, ny = 1, nz = 1, steps = 1, block = 1,
  banks = "", ["in"] = "", out = "", check = true,
}, function(result)
  return string.format("%s of radius %d in %d dimensions, kernel %s", result.shape, result.radius, result.dims,
                       result.kernel)
end)
