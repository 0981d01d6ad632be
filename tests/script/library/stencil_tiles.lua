-- Are equations in a plane, a tile for each PE, equal to their plain evaluation to the last bit? Tiles
-- that divide the grid and tiles that do not, one tile alone, lines of tiles.
local equations = require "support.equations"

local runs = 0
local cases = {{1, 1, {2, 3}}, {3, 3, {8, 8}}, {5, 4, {2, 3}}, {9, 7, {3, 4}}, {12, 8, {4, 4}}, {1, 9, {2, 3}},
               {17, 1, {5, 3}}}
for _, name in ipairs(equations.names()) do
  for k, case in ipairs(cases) do
    equations.check(name, {nx = case[1], ny = case[2], tile = case[3]}, {steps = 2 + k % 3})
    runs = runs + 1
  end
end
print(runs .. " runs")
