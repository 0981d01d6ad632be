-- Sources and receivers: several in a PE, many PEs with one program, in columns and tiles; each equals the
-- plain evaluation to the last bit.
local stencil = require "stencil"

local function surveyed(sizes, at)
  local g = stencil.grid(sizes)
  local p = g:field("p", {initial = function(x, y, z) return x + 10 * y + 100 * z end})
  g:update{p, p + p:at(1, 0)}
  for y = 0, 9, 3 do
    for x = 0, 11 do g:record{p, at = at(x, y, x % 2), name = ("r_%d_%d"):format(x, y)} end
  end
  g:record{p, at = at(0, 0, 5), name = "again"}
  g:inject{p, at = at(3, 3, 1), values = {5.0, 0.0, 2.0}}
  g:inject{p, at = at(3, 3, 1), values = function(step) return step end}
  assert(g:run{steps = 4, check = true}.max_rel_error == 0)
  return select(2, g:layout{steps = 4}:text():gsub("%.program", ""))
end

-- Others, the source's, the one with two receivers, and those of either z.
assert(surveyed({nx = 12, ny = 10, nz = 6}, function(x, y, z) return {x, y, z} end) == 5)
assert(surveyed({nx = 12, ny = 10, tile = {3, 4}}, function(x, y) return {x, y} end) > 1)

-- A trace has the value after the source was added, a source that ends is silent, one of zeros never is.
local g = stencil.grid{nx = 2, ny = 1}
local p = g:field("p", {initial = 1.0})
g:update{p, 2 * p}
g:inject{p, at = {0, 0}, values = {0.5}}
g:inject{p, at = {1, 0}, values = {0.0}}
g:record{p, at = {0, 0}, name = "loud"}
g:record{p, at = {1, 0}, name = "silent"}
local traces = g:run{steps = 3}.traces
assert(table.concat(traces.loud, " ") == "2.5 5.0 10.0" and table.concat(traces.silent, " ") == "2.0 4.0 8.0")
