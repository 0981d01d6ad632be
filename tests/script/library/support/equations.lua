-- Equations whose values stay small integers, or sums of few halves and eighths: every operation is
-- exact, so a run must equal the plain evaluation to the last bit, whatever the order of its sums.
local stencil = require "stencil"

local equations = {}

-- Returns a function of the cell with integers of -3 to 4.
function equations.chance(k)
  return function(x, y, z)
    local h = (x * 73856093 ~ y * 19349663 ~ z * 83492791 ~ k * 2654435761) & 0xffffffff
    h = (h ~ (h >> 13)) * 1274126177 & 0xffffffff
    return (h >> 8 & 7) - 3
  end
end
local chance, d = equations.chance, stencil.d

-- Each returns nothing and adds fields and updates to a grid.
equations.all = {}

function equations.all.laplacian(g)
  local u = g:field("u", {initial = chance(1)})
  local sum = d(u, "xx") + d(u, "yy")
  if g.dims == 3 then sum = sum + d(u, "zz") end
  g:update{u, u + 0.25 * sum}
end

function equations.all.box(g)
  local u = g:field("u", {initial = chance(1)})
  local rows = {{1, 2, 3}, {4, -5, 6}, {7, -8, 9}}
  if g.dims == 2 then return g:update{u, stencil.box(u, rows)} end
  g:update{u, stencil.box(u, {rows, {{0, 1, 0}, {2, 0, 1}, {-1, 1, -1}}, {{1, 0, 0}, {0, 3, 0}, {0, 0, 2}}})}
end

-- Two levels, coefficients for each cell, one distance that is left out and one side that reaches farther.
function equations.all.wave(g)
  local p = g:field("p", {initial = chance(1), before = chance(2)})
  local v = g:parameter("v", chance(3))
  g:update{p, 2 * p - p.before + v * (p:at(2, 0) + p:at(-1, 0) + p:at(0, 3) - 2 * p:at(0, -1))}
end

-- A C grid: one-sided neighbours of three fields, one of them new.
function equations.all.staggered(g)
  local h = g:field("h", {initial = chance(1)})
  local u = g:field("u", {initial = chance(2), at = "x"})
  local v = g:field("v", {initial = chance(3), at = "y"})
  g:update{u, u - 2 * d(h, "x", {staggered = true})}
  g:update{v, v - 2 * d(h, "y", {staggered = true})}
  g:update{h, h - 3 * (d(u.next, "x", {staggered = true}) + d(v.next, "y", {staggered = true}))}
end

-- Products of fields, words that a product needs as they arrive, neighbours across corners, a level
-- that is read after the next one is set, a constant.
function equations.all.products(g)
  local a = g:field("a", {initial = chance(1)})
  local b = g:field("b", {initial = chance(5)})
  local c = g:parameter("c", chance(2))
  g:update{a, a + 0.25 * b * a:at(1, 0) - 0.125 * a:at(0, -2) * c + c * 0.5 + 1}
  g:update{b, b - a:at(-1, 1) * 0.5 + (b:at(0, 1) + b) * (a - 1) + a.next:at(1, 2)}
end

-- Regions: part of the cells keep their value, in one level and in two.
function equations.all.regions(g)
  local nx, ny = g:extents()
  local p = g:field("p", {initial = chance(1), before = chance(6)})
  local q = g:field("q", {initial = chance(4)})
  g:update{p, 2 * p - p.before + 0.5 * d(p, "yy"), where = g:box{x = {0, nx // 2}, y = {ny // 3, ny - 1}}}
  g:update{q, q + p:at(1, 0) - 3, where = g:surface("y", "high")}
  if nx > 2 and ny > 1 then g:update{q, d(p, "xx"), where = g:box{x = {1, nx - 2}, y = {0, ny - 2}}} end
end

-- One value for each PE: as it is, as a factor of a field, of a sum, of a product, with both signs.
function equations.all.values(g)
  local chance_of_pe = chance(8)
  local s = g:parameter("s", function(x, y) return chance_of_pe(x, y, 0) end)
  local w = g:parameter("w", chance(9))
  local p = g:field("p", {initial = chance(1), before = chance(2)})
  local q = g:field("q", {initial = chance(3)})
  g:update{p, s * p - p.before + 0.5 * s * (p:at(1, 0) - p:at(-1, 0)) - 2 * s + 1}
  g:update{q, q - s * (q - w * p) + s * w * q:at(0, 1) - (p - q:at(0, -1)) * s}
end

-- The new field replaces the one before in place, in every column and block.
function equations.all.replaced(g)
  local p = g:field("p", {initial = chance(1), before = chance(2)})
  g:update{p, p.before + p:at(1, 0) + p:at(0, 1)}
end

-- Two fields of which the same neighbours need words of different widths, also across corners.
function equations.all.widths(g)
  local a, b = g:field("a", {initial = chance(1)}), g:field("b", {initial = chance(2)})
  g:update{a, a:at(2, 0) - b:at(1, 0) + a:at(0, -2)}
  g:update{b, b - a:at(-1, 1) + b:at(0, -1)}
end

-- Words of the block above and below, in blocks of a column.
function equations.all.columns(g)
  if g.dims == 2 then return equations.all.laplacian(g) end
  local nz = g.sizes[3]
  local p = g:field("p", {initial = chance(1), before = chance(6)})
  local w = g:parameter("w", chance(7))
  g:update{p, p:at(0, 0, -2) - p.before:at(0, 0, 1) + w * p:at(1, 0, 1) + p:at(-1, 1, -1) - p:at(0, -1, 2),
           where = g:box{z = {nz // 4, nz - 1}}}
end

-- Returns the names, sorted.
function equations.names()
  local names = {}
  for name in pairs(equations.all) do names[#names + 1] = name end
  table.sort(names)
  return names
end

local kExactSteps = {products = 2}  -- their numbers then need more than the 24 bits of a float

-- Runs one on a grid, which must equal the plain evaluation exactly.
function equations.check(name, sizes, options)
  options.steps = math.min(options.steps, kExactSteps[name] or options.steps)
  local g = stencil.grid(sizes)
  equations.all[name](g)
  options.check = true
  local result = g:run(options)
  assert(result.max_rel_error == 0, ("%s on %d x %d x %d: off by %g"):format(
    name, sizes.nx, sizes.ny, sizes.nz or 0, result.max_rel_error))
  return result
end

return equations
