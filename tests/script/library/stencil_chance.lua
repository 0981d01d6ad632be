-- Do random equations, grids, regions, blocks and tiles equal their plain evaluation?
local ran, exact = require("support.random_equations").run(1, 60)
assert(ran >= 40 and exact >= 30, ran .. " of 60 ran, " .. exact .. " exactly")
