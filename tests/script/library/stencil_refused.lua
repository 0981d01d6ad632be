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
refused("stencil.grid{nx = 1, ny = 1, nz = 1, mirror = 'zx'}",
        "stencil.grid: mirror is 'zx'; axes in their order, as in 'x' or 'xyz', is wanted")
refused("stencil.grid{nx = 1, ny = 1, nz = 1, mirror = true}", "stencil.grid: mirror is true; axes in their order")
refused("stencil.grid{nx = 1, ny = 1, mirror = 'x'}", "stencil.grid: mirror is for grids with nz")
refused("stencil.grid{nx = 1, ny = 1, nz = 1, mirror = 'xz'}:field('a', {at = 'yz'})",
        "field: at = yz: values on halves of cells have no mirror through the first cells, as the grid has along z")
refused("g:field('p')", "field: the name 'p' is taken")
refused("g:field('a b')", "field: the name is 'a b'; a name of letters, digits and _ is wanted")
refused("g:field('a', {at = 'zz'})", "field: at is 'zz'; axes of the grid, as in 'x' or 'xy' is wanted")
refused("g:field('a', {surface = 'flat'})", "field: surface is 'flat'; 'odd' or 'even' is wanted")
refused("plane:field('a', {surface = 'odd'})", "field: surface is for grids with nz")
refused("stencil.grid{nx = 1, ny = 1, nz = 1, mirror = 'z'}:field('a', {surface = 'odd'})",
        "field: surface: the grid has a mirror along z")
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
refused("d(p, 'xx', {coefficients = {1}})", "stencil.d: coefficients has 1 numbers; the centre and 1 to 4 distances are")
refused("d(2, 'x')", "stencil.d: what is derived is 2; a field or an expression is wanted")
refused("stencil.box(p, {{1, 2}, {3, 4}})", "stencil.box: its side is 2; 1, 3, 5, ... or 9 is wanted")
refused("stencil.box(p, {{1, 2, 3}, {1, 2, 3}, {1}})", "stencil.box: a row of 3 weights is wanted")

-- Statements.
refused("g:update{p + 1, p}", "update: what is set is 'p + 1'; a field is wanted")
refused("g:update{p, u}", "update: positions differ: p lies on the cells, its equation on half a cell along x; a staggered")
refused("g:update{p, e}", "update: the equation belongs to another grid")
refused("g:update{e, e}", "update: e belongs to another grid")
refused("g:update{p, d(d(p, 'xx', {order = 8}), 'x')}",
        "update: p[-5, 0, 0] is 5 cells away along x; at most 4 are read")
refused("plane:update{q, q:at(9)}", "at: the offset along x is 9; -8 to 8 is wanted")
refused("plane:update{q, q:at(8):at(1)}", "update: q[9, 0] is 9 cells away along x; at most 8 are read")
refused("g:update{p, p.next}", "update: p.next is read before an update sets it")
refused("g:update{p, p} g:update{p, p.next + p.next:at(0, 0, 1)}",
        "update: p.next[0, 0, 1] is read by an update of p, which sets it again; p.next, without neighbours, is wanted")
refused("g:update{p, p, wher = 1}", "update has no option 'wher'; did you mean 'where'?")
refused("g:update{p, p, where = other:inner(1)}", "update: where is a stencil region; a region of this grid, as in g:box{x = {0, 1}}, is wanted")
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
refused("g:update{p, p + v.none} g:run{}", "v has no 'none'; there is only 'at'")
refused("plane:update{q, q + r.before} plane:run{}",
        "update: r.before is read, but no update sets r (user.lua:9)")
refused("plane:update{q, q + q:at(3)} plane:update{r, r + q:at(0, -3)} plane:run{force = true}",
        "a tile of 4 x 2 cells is smaller than the reach of the equations, 3 x 3; tile = {3, 3} in stencil.grid, or larger,")
refused("plane:update{q, q + 0.3 * (d(q, 'xx') + d(q, 'yy'))} plane:run{}",
        "run: dt = 1 is not stable: waves of 2 x 2 cells grow by 1.4 in each step; a smaller one does not help")
refused("plane:update{q, q + 0.3 * plane.dt * (d(q, 'xx') + d(q, 'yy'))} plane:run{}",
        "run: dt = 1 is not stable: waves of 2 x 2 cells grow by 1.4 in each step; at most 0.83")
refused("local h = stencil.grid{nx = 1, ny = 1, nz = 30000} local f = h:field('f') h:update{f, f} h:run{}",
        "the program needs 240207 bytes in a PE, which has 49152; nz = 12000 fits")

-- Mistakes of people who know other languages, or read fast.
refused("stencil.grid()", "stencil.grid: the options is nil; a table is wanted")
refused("stencil.grid{8, 6}", "stencil.grid has no option '1'; there are dt, dx, dy, dz, mirror, nx, ny, nz, tile")
refused("stencil.grid{nx = 8, ny = 2, tile = {2, 2, 2}}", "stencil.grid: tile has 3 numbers; cells along x and y are wanted")
refused("stencil.grid{nx = 70000, ny = 2, nz = 2}",
        "stencil.grid: nx = 70000 wants 70000 PEs along x; there are at most 65535")
refused("g.field('w')", "field: a colon is wanted, as in g:field")
refused("g:update{p, p, where = g.inner(1)}", "inner: a colon is wanted, as in g:inner")
refused("g:update{p, p} g.run{steps = 1}", "run: a colon is wanted, as in g:run")
refused("g.nx = 5", "a grid has no 'nx' to set; stencil.grid{...} has its sizes")
refused("g:update(p, p)", "update: braces are wanted, as in g:update{p, equation}")
refused("g:update{p, p.nxt}", "p has no 'nxt'; did you mean 'next'?")
refused("g:update{p, p[1]}", "p: a neighbour is written :at(dx, dy, dz), as in p:at(1, 0, -2)")
refused("g:update{p, p(1, 0, 0)}", "p: a neighbour is written :at(dx, dy, dz), as in p:at(1, 0, -2)")
refused("p.next = 2 * p", "p.next is not set like this; g:update{p, equation} sets p.next")
refused("g:update{p, d(p, 'xx', 8)}", "stencil.d: the options is 8; a table, as in {order = 8}, is wanted")
refused("g:update{p, p, where = {x = {0, 1}}}", "update: where is a table; a region of this grid, as in g:box{x = {0, 1}},")
refused("g:box{x = 3}", "box: x is 3; {first, last} is wanted")
refused("g:inject{p, at = {0, 0, 0}}", "inject: values is nil; a function of the step 0, 1, ... or a list is wanted")
refused("g:update{p, p} g:explain(5)", "explain: the options is 5; a table is wanted")
refused("g:update{p, p} g:explain{result = 3}", "explain: result is 3; what g:run{...} returned is wanted")

-- Values that a run asks for; the line in brackets is the one that gave them.
refused("local f = g:field('f', {initial = function() return 'x' end}) g:update{f, f} g:run{}",
        "field: initial of cell 0, 0, 0 (user.lua:9) is 'x'; a finite number is wanted")
refused("g:update{p, p / (v - 3)} g:run{}",
        "update: 1 / (v - 3) is inf in cell 3, 0, 0 (user.lua:9); finite numbers are wanted")
refused("g:update{p, p} g:run{}.value(p, 8, 0, 0)", "value: the cell along x is 8; 0 to 7 is wanted")
refused("g:update{p, p} g:run{}.value(p, 0, 0)", "value: the cell along z is nil; an integer is wanted")
refused("g:update{p, p} g:run{}.value(q, 0, 0)", "value: q is not a field of this grid; there are p, u")
refused("g:update{p, p} g:run{}.value('U', 0, 0, 0)", "value: 'U' is not a field of this grid")
refused("g:update{p, p} g:run{}.save(p)", "save: the file is nil; a name is wanted")
refused("g:update{p, p} g:run{}.save(p, '/no/p.npy')", "save: /no/p.npy: ")
refused("g:update{p, p} g:run{}.sav(p, 'p.npy')", "a result has no 'sav'; did you mean 'save'?")

-- A step that grows with every dt, and what fits: a tile, steps.
refused("plane:update{q, q - 0.1 * plane.dt * (q:at(1) - q)} plane:run{}",
        "run: dt = 1 is not stable: waves of 2 x 2 cells grow by 1.2 in each step; a smaller one does not help; force")
refused("local h = stencil.grid{nx = 2, ny = 2, tile = {200, 100}} local f = h:field('f') h:update{f, f} h:run{}",
        "the program needs 160259 bytes in a PE, which has 49152; tile = {110, 55} fits")
refused("g:update{p, p} g:record{p, at = {0, 0, 0}, name = 't'} g:run{steps = 20000}",
        "the program needs 80375 bytes in a PE, which has 49152; steps = 12")
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

-- So do a tile and a number of steps.
local function plate(tile, steps)
  local h = stencil.grid{nx = 4, ny = 4, tile = tile}
  local f = h:field("f")
  h:update{f, f + 0.1 * stencil.d(f, "xx")}
  if steps then h:record{f, at = {0, 0}, name = "corner"} end
  return pcall(h.run, h, {steps = steps or 1})
end
local _, too_large = plate{300, 200}
local tx, ty = too_large:match("tile = {(%d+), (%d+)} fits")
tx, ty = math.tointeger(tx), math.tointeger(ty)
assert(plate{tx, ty} and not plate{tx + 2, ty + 2}, too_large)
local _, too_long = plate({4, 4}, 100000)
local fit = math.tointeger(too_long:match("steps = (%d+) fit, with these sources and receivers"))
assert(too_long:find("values of sources and receivers", 1, true) and plate({4, 4}, fit), too_long)
assert(not plate({4, 4}, fit + 200))

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
