-- The same as stencil_chance.lua, for many seeds.
local ran, exact = require("support.random_equations").run(1000, 2500)
assert(ran >= 1000 and exact >= 750, ran .. " of 1501 ran, " .. exact .. " exactly")
ran, exact = require("support.random_equations").run(1000, 1500, true)  -- with mirrors
assert(ran >= 400 and exact >= 380, ran .. " of 501 ran, " .. exact .. " exactly")
