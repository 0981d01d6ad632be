-- The module `stencil`: fields and update equations become programs for a wafer. README.md says how to
-- write one.
local check = require "wse.layout.check"
local derivative = require "stencil.lang.derivative"
local grids = require "stencil.lang.grid"
local host = require "wse.host"
require "stencil.problem"

local stencil = {grid = grids.make, d = derivative.d, mean = derivative.mean, box = derivative.box}

return setmetatable(stencil, {__metatable = false, __index = function(_, name)
  host.raise("stencil has no '" .. tostring(name) .. "'" .. check.instead(tostring(name), check.sorted_keys(stencil)))
end})
