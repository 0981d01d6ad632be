-- The same as stencil_chance.lua, for many seeds.
local ran, exact = require("support.random_equations").run(1000, 2500)
assert(ran >= 1000 and exact >= 750, ran .. " of 1501 ran, " .. exact .. " exactly")
