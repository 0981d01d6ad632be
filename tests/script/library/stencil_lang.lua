-- What equations are before anything runs: their text, the weights of derivatives, and the plain
-- evaluation against numbers worked out by hand.
local derivative = require "stencil.lang.derivative"
local plain = require "stencil.reference.plain"
local stencil = require "stencil"
local d = stencil.d

-- ---- text

local g = stencil.grid{nx = 6, ny = 5, nz = 4, dx = 2.0, dt = 0.5}
local p, u = g:field("p"), g:field("u", {at = "x"})
local v, k = g:parameter("v", function(x) return x + 1.0 end), g:parameter("k", 3.0)
local function shows(node, text) assert(tostring(node) == text, tostring(node)) end
shows(2 * p - p.before + v ^ 2 * d(p, "xx", {order = 8}), "2 * p - p.before + v^2 * d(p, xx, order 8)")
shows(p - (p - 1), "p - (p - 1)")
shows((p - p) - 1, "p - p - 1")
shows(p / (v * 2), "p / (v * 2)")
shows(-(p + 1) * k * g.dt, "-(p + 1) * k * dt")
shows((-p) ^ 2, "(-p)^2")
shows(p:at(1, 0, -2) + p.before:at(0, 1), "p[1, 0, -2] + p.before[0, 1, 0]")
shows(d(u.next, "x", {staggered = true}), "d(u.next, x, order 2)")
g:update{p, p + k * g.dt * d(u, "x", {staggered = true}), where = g:box{z = {1, 2}}}
g:inject{p, at = {1, 2, 3}, values = {1.0}}
g:record{p, at = {0, 0, 0}, name = "trace"}
assert(g:text() == "p.next = p + k * dt * d(u, x, order 2) where x 0..5, y 0..4, z 1..2\n"
                   .. "p.next[1, 2, 3] += values(step)\ntrace[step] = p.next[0, 0, 0]", g:text())

-- ---- weights, of the tables of Fornberg (1988)

local function weighs(points, n, expected)
  for j, value in ipairs(derivative.weights(points, n)) do
    assert(math.abs(value - expected[j]) < 1e-14, value .. " is not " .. expected[j])
  end
end
weighs({-1, 0, 1}, 2, {1, -2, 1})
weighs({-2, -1, 0, 1, 2}, 1, {1 / 12, -2 / 3, 0, 2 / 3, -1 / 12})
weighs({-4, -3, -2, -1, 0, 1, 2, 3, 4}, 2,
       {-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560})
weighs({-1.5, -0.5, 0.5, 1.5}, 1, {1 / 24, -9 / 8, 9 / 8, -1 / 24})

-- ---- polynomials: a derivative of order n is exact for powers up to n, inside of the grid

local kNear = 1e-9
for order = 2, 8, 2 do
  for axes, exact in pairs{x = function(x) return order * x ^ (order - 1) end,
                           xx = function(x) return order * (order - 1) * x ^ (order - 2) end} do
    local line = stencil.grid{nx = 12, ny = 1, dx = 0.5}
    local f = line:field("f", {initial = function(x) return (0.5 * x) ^ order end})
    line:update{f, d(f, axes, {order = order})}
    local result = plain.run(line, 1)
    local value, wanted = result.value(line.fields[1], 5, 0, 0), exact(2.5)
    assert(math.abs(value - wanted) <= kNear * math.abs(wanted), axes .. order)
  end
end

-- ---- the plain evaluation: old and new values, levels, borders, regions, sources, traces

local h = stencil.grid{nx = 3, ny = 1, nz = 2}
local a = h:field("a", {initial = function(x, _, z) return x + 10 * z end, before = 100.0})
local b = h:field("b", {initial = 1.0})
h:update{a, a + a.before + a:at(1, 0, 0), where = h:box{x = {0, 1}}}
h:update{b, a.next + a + b:at(0, 0, -1)}
h:inject{a, at = {0, 0, 0}, values = {0.5}}
h:record{a, at = {0, 0, 0}, name = "first"}
local fa, fb = h.fields[1], h.fields[2]
local one = plain.run(h, 1)
assert(one.value(fa, 0, 0, 0) == 0 + 100 + 1 + 0.5)       -- the source is added at the end
assert(one.value(fa, 1, 0, 1) == 11 + 100 + 12)
assert(one.value(fa, 2, 0, 1) == 12)                      -- outside of the region
assert(one.value(fb, 0, 0, 0) == 101 + 0 + 0)             -- the cell below z = 0 is 0
assert(one.value(fb, 0, 0, 1) == 10 + 100 + 11 + 10 + 1)
local two = plain.run(h, 2)
assert(two.value(fa, 0, 0, 0) == 101.5 + 0 + one.value(fa, 1, 0, 0))
assert(two.value(fa, 2, 0, 1) == 12)
assert(two.traces.first[1] == 101.5 and two.traces.first[2] == two.value(fa, 0, 0, 0))
-- Floats: 1/3 and its sums are rounded.
local third = stencil.grid{nx = 1, ny = 1}
local f = third:field("f", {initial = 1 / 3})
third:update{f, f + f}
assert(plain.run(third, 1, true).value(third.fields[1], 0, 0, 0) == 2 * plain.as_float(1 / 3))
assert(plain.run(third, 1).value(third.fields[1], 0, 0, 0) == 2 / 3)
-- Parameters continue beyond the grid with their nearest value.
local edge = stencil.grid{nx = 3, ny = 1}
local c, w = edge:field("c"), edge:parameter("w", function(x) return 1.0 + x * x end)
edge:update{c, w:at(-2, 0) + d(w, "x")}
local clamped = plain.run(edge, 1)
assert(clamped.value(edge.fields[1], 0, 0, 0) == 1 + 0.5 and clamped.value(edge.fields[1], 2, 0, 0) == 1 + 1.5)
assert(edge:run{check = true}.max_rel_error == 0)

-- ---- what a run returns: values, those of a step earlier, files

local run = h:run{steps = 2, check = true}
assert(run.max_rel_error == 0 and run.value("a", 0, 0, 0) == two.value(fa, 0, 0, 0))
for x = 0, 2 do
  for z = 0, 1 do assert(run.before(a, x, 0, z) == one.value(fa, x, 0, z)) end
end
local kept, message = pcall(run.before, b, 0, 0, 0)
assert(not kept and message:find("before: no equation reads b.before, so that a PE does not keep it", 1, true), message)
run.save(a, "stencil_lang.npy")
local again = stencil.grid{nx = 3, ny = 1, nz = 2}
again:field("a", {initial = "stencil_lang.npy"})
for x = 0, 2 do
  for z = 0, 1 do assert(again.fields[1].initial(x, 0, z) == two.value(fa, x, 0, z)) end
end
run = edge:run{steps = 1}
assert(run.max_rel_error == nil and run.value("c", 2, 0) == 2.5)
