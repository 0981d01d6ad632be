-- What cannot be is refused before anything runs, at the line of the user that says it.
local kHead = [[
local stencil = require "stencil"
local d = stencil.d
local g = stencil.grid{nx = 8, ny = 6, nz = 10}
local plane = stencil.grid{nx = 8, ny = 6, dt = 1.0, tile = {4, 2}}
local other = stencil.grid{nx = 8, ny = 6, nz = 10}
local p, u, e = g:field("p"), g:field("u", {at = "x"}), other:field("e")
local q, r = plane:field("q"), plane:field("r")
local v = g:parameter("v", function(x) return x end)
%s
]]
local kLine = 9
local checked = 0

local function refused(statement, message)
  local fine, text = pcall(assert(load(kHead:format(statement), "@user.lua")))
  assert(not fine, statement .. ": it was accepted")
  assert(text:find("user.lua:" .. kLine .. ": " .. message, 1, true) == 1, text)
  checked = checked + 1
end

-- The grid, fields and parameters.
refused("stencil.grid{nx = 0, ny = 1}", "stencil.grid: nx is 0; 1 to 4194240 is wanted")
refused("stencil.grid{ny = 1}", "stencil.grid: nx is nil; an integer is wanted")
refused("stencil.grid{nx = 1, ny = 1, dz = -1.0}", "stencil.grid: dz is -1.0; a number above 0 is wanted")
refused("stencil.grid{nx = 1, ny = 1, nzz = 1}", "stencil.grid has no option 'nzz'; did you mean 'nz'?")
refused("stencil.grid{nx = 1, ny = 1, nz = 1, tile = 2}",
        "stencil.grid: tile is for grids without nz; in space a PE has a column")
refused("g:field('p')", "field: the name 'p' is taken")
refused("g:field('a b')", "field: the name is 'a b'; a name of letters, digits and _ is wanted")
refused("g:field('a', {at = 'zz'})", "field: at is 'zz'; axes of the grid, as in 'x' or 'xy' is wanted")
refused("g:field('a', {initial = 'none.npy'})", "field: initial: ")
refused("g:parameter('w', {1, 2})", "parameter: the value has 2 numbers; one for each z is wanted, 10")
refused("plane:parameter('w', {1, 2})", "parameter: the value is a list, one number for each z; the grid has no axis z")
refused("g:parameter('w', 0 / 0)", "parameter: the value is ")
refused("g:parameter('w', true)", "parameter: the value is true; a number, a list for each z, a function")
refused("g:feild('a')", "a grid has no 'feild'; did you mean 'field'?")
refused("stencil.D(p, 'x')", "stencil has no 'D'")

-- Expressions.
refused("local a = p + e", "+: the operands belong to different grids")
refused("local a = p * u", "*: positions differ: p lies on the cells, u on half a cell along x; a staggered")
refused("local a = 1 / p", "/: p depends on a field; a PE divides no arrays: divide by numbers and parameters")
refused("local a = p / 0", "/: division by 0")
refused("local a = p ^ 0.5", "^: the exponent is 0.5; of what depends on a field, 1 to 4 is wanted")
refused("local a = p + 'x'", "+: the right operand is 'x'; a number, a field, a parameter or an expression is wanted")
refused("local a = p < u", "expressions are not compared; `where` chooses the cells of an update")
refused("p:at(5)", "at: the offset along x is 5; -4 to 4 is wanted")
refused("q:at(0, 0, 1)", "at: the grid has no axis z")
refused("local a = (p + 1).before", "p + 1.before: a field has it, not an expression")

-- Derivatives and boxes.
refused("d(p, 'w')", "stencil.d: the axis is 'w'; 'x', 'xx', 'y', 'yy', 'z' or 'zz' is wanted")
refused("d(p, 'xy')", "stencil.d: the axis is 'xy'")
refused("d(q, 'zz')", "stencil.d: the grid has no axis z; it has x, y")
refused("d(p, 'x', {order = 3})", "stencil.d: the order is 3; 2, 4, 6 or 8 is wanted")
refused("d(p, 'x', {order = 10})", "stencil.d: the order is 10; 2 to 8 is wanted")
refused("d(p, 'x', {ordr = 2})", "stencil.d has no option 'ordr'; did you mean 'order'?")
refused("d(p, 'xx', {staggered = true})", "stencil.d: a second derivative is not staggered; take two first ones")
refused("d(p, 'xx', {coefficients = {1}})", "stencil.d: coefficients has 1 numbers; the centre and 1 to 4 distances")
refused("d(2, 'x')", "stencil.d: what is derived is 2; a field or an expression is wanted")
refused("stencil.box(p, {{1, 2}, {3, 4}})", "stencil.box: its side is 2; 1, 3, 5, 7 or 9 is wanted")
refused("stencil.box(p, {{1, 2, 3}, {1, 2, 3}, {1}})", "stencil.box: a row of 3 weights is wanted")

-- Statements.
refused("g:update{p + 1, p}", "update: what is set is 'p + 1'; a field is wanted")
refused("g:update{p, u}", "update: positions differ: p lies at '', its equation at 'x'")
refused("g:update{p, e}", "update: the equation belongs to another grid")
refused("g:update{e, e}", "update: e belongs to another grid")
refused("g:update{p, d(d(p, 'xx', {order = 8}), 'x')}",
        "update: p[-5, 0, 0] is 5 cells away along x; at most 4 are read")
refused("g:update{p, p.next}", "update: p.next is read before an update sets it")
refused("g:update{p, p, wher = 1}", "update has no option 'wher'; did you mean 'where'?")
refused("g:update{p, p, where = other:inner(1)}", "update: where is a stencil region; a region of this grid is wanted")
refused("g:update{p, p, where = g:inner(2)} g:update{p, p, where = g:box{x = {0, 2}}}",
        "update: two updates of p share the cells x 2..2, y 2..3, z 2..7 (the other one: user.lua:9)")
refused("g:inner(3)", "inner: layers of that width leave no cell")
refused("plane:box{z = {0, 0}}", "box: the grid has no axis z; it has x, y")
refused("g:box{x = {3, 2}}", "box: x[2] is 2; 3 to 7 is wanted")
refused("g:surface('z', 'top')", "surface: the side is 'top'; 'low' or 'high' is wanted")
refused("g:inject{p, at = {8, 0, 0}, values = {1}}", "inject: at, along x is 8; 0 to 7 is wanted")
refused("g:record{p, at = {0, 0}, name = 't'}", "record: at has 2 numbers; a cell x, y, z is wanted")

-- Runs.
refused("g:run{}", "run: the grid has no update")
refused("g:update{p, p} g:run{steps = 0}", "run: steps is 0; 1 to 134217727 is wanted")
refused("g:update{p, p} g:run{stepps = 1}", "run has no option 'stepps'; did you mean 'steps'?")
refused("g:update{p, p} g:run{block = 3}", "run: block is 3; an even block, or the whole column, 10, is wanted")
refused("plane:update{q, q} plane:run{block = 2}", "run: block is for columns, which a grid without nz does not have")
refused("g:update{p, p + v.none} g:run{}", "+: the right operand is nil")
refused("plane:update{q, q + r.before} plane:run{}",
        "update: r.before is read, but no update sets r (user.lua:9)")
refused("plane:update{q, q + q:at(3)} plane:update{r, r + q:at(0, -3)} plane:run{force = true}",
        "a tile of 4 x 2 cells is smaller than the reach of the equations, 3 x 3")
refused("plane:update{q, q + 0.3 * (d(q, 'xx') + d(q, 'yy'))} plane:run{}",
        "run: dt = 1 is not stable: waves of 2 x 2 cells grow by 1.4 in each step; a smaller one does not help")
refused("plane:update{q, q + 0.3 * plane.dt * (d(q, 'xx') + d(q, 'yy'))} plane:run{}",
        "run: dt = 1 is not stable: waves of 2 x 2 cells grow by 1.4 in each step; at most 0.83")
refused("local h = stencil.grid{nx = 1, ny = 1, nz = 30000} local f = h:field('f') h:update{f, f} h:run{}",
        "the program needs 240532 bytes in a PE, which has 49152; nz = 11")
print(checked .. " refused")

-- What fits is said with the map, and does fit.
local stencil = require "stencil"
local function column(nz)
  local h = stencil.grid{nx = 1, ny = 1, nz = nz}
  local f = h:field("f", {before = 1.0})
  h:update{f, 2 * f - f.before + 0.5 * stencil.d(f, "zz")}
  return h
end
local _, text = pcall(function() return column(9000):run{} end)
local most = tonumber(text:match("nz = (%d+) fits"))
assert(text:find("f_even", 1, true) and text:find("of 49152 bytes", 1, true), text)
assert(column(most):run{check = true}.step.blocks > 1)
assert(not pcall(function() return column(most + 100):run{} end))
assert(column(most // 2):run{}.step.blocks == 1)

-- Code takes no more than the plan says: a machine with just so much memory is enough.
local equations = require "support.equations"
for _, name in ipairs(equations.names()) do
  for _, sizes in ipairs{{nx = 5, ny = 4, nz = 9}, {nx = 9, ny = 7, tile = {3, 4}}} do
    for _, block in ipairs{2, 4, false} do
      local g = stencil.grid(sizes)
      equations.all[name](g)
      local options = {steps = 1, block = sizes.nz and (block or sizes.nz) or nil}
      local bytes = g:run(options).step.bytes
      options.machine = {base = "wse2", memory_bytes = (bytes + 1023) // 1024 * 1024}
      g:run(options)
    end
  end
end
