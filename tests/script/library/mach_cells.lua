-- Arrays of cells, blocks of them on each worker: random statements on slices of them give what a plain Lua array
-- of all cells gives, for blocks of every shape, shifts over several workers, and sums; no word differs on the
-- wafer. Blocks take fewer cycles for a step of heat than a worker for each cell. What is no cells is refused.
local mach = require "mach"
local random = require "mach.lang.random"

local state = random.first_state(7, 1, 2)
local function draw(count)
  state = random.next_state(state)
  return (state >> 7) % count
end

-- A plain array of all cells.
local function plain(X, Y, n, f)
  local list = {}
  for y = 0, Y - 1 do
    for x = 0, X - 1 do
      for i = 0, n - 1 do list[(y * X + x) * n + i] = f(x, y, i) end
    end
  end
  return list
end

local function check_one(bx, by, n, machine, fuse)
  local width, height = 4, 2 * (1 + draw(2))
  local X, Y = width * bx, height * by
  local p = mach.program{width = width, height = height, machine = machine, fuse = fuse}
  local function f(x, y, i) return (3 * x + 5 * y + 7 * i) % 13 - 6 end
  local function h(x, y, i) return (x * y + i) % 5 end
  local a, b = p:CA("a", {bx, by}, n, f, "i32"), p:CA("b", {bx, by}, n, h, "i32")
  local t, s = p:ULS("t", 0, "i32"), p:GS("s", 0, "i32")
  local A, B = plain(X, Y, n, f), plain(X, Y, n, h)
  for _ = 1, 3 do
    local w, v = 1 + draw(X), 1 + draw(Y)
    local function place(extent, count) return draw(extent - count + 1) end
    local x0, y0, x1, y1, x2, y2 = place(X, w), place(Y, v), place(X, w), place(Y, v), place(X, w), place(Y, v)
    local function text(x, y) return ("%d:%d, %d:%d, :"):format(x, x + w, y, y + v) end
    a[text(x0, y0)] = a[text(x1, y1)] - b[text(x2, y2)] * 2 + t
    local new = {}
    for y = 0, v - 1 do
      for x = 0, w - 1 do
        for i = 0, n - 1 do
          new[((y0 + y) * X + x0 + x) * n + i] = A[((y1 + y) * X + x1 + x) * n + i]
                                                 - 2 * B[((y2 + y) * X + x2 + x) * n + i]
        end
      end
    end
    for at, value in pairs(new) do A[at] = value end
  end
  local op = ({"sum", "min", "max"})[1 + draw(3)]
  s:set(p[op](p, a[("%d:, :%d, :"):format(X // 3, Y - Y // 4)]))
  local r = p:run()
  assert(r.user.differing_words == 0, r.user.first_difference)
  local expected
  for y = 0, Y - 1 do
    for x = 0, X - 1 do
      for i = 0, n - 1 do
        local value = A[(y * X + x) * n + i]
        assert(r:array("a"):at(x, y, i) == value, ("%d %d %d of %d x %d"):format(x, y, i, bx, by))
        if x >= X // 3 and y < Y - Y // 4 then
          if op == "sum" then expected = (expected or 0) + value
          else expected = expected and math[op](expected, value) or value end
        end
      end
    end
  end
  assert(r:value("s") == expected, op)
  return r.user.rpcs
end

local calls, count = 0, 0
for _, block in ipairs{{1, 1}, {2, 1}, {1, 3}, {4, 1}, {3, 2}, {2, 4}} do
  for turn = 0, 1 do
    calls = calls + check_one(block[1], block[2], 1 + turn * draw(3), ({"wse2", "wse3", "model"})[count % 3 + 1],
                              turn == 1)
    count = count + 1
  end
end

-- Makes heat on one field of 16 x 8 cells of 4 elements: as 16 x 8 workers, and as 4 x 2 with 4 x 4 cells or 8 x 2.
local function heat(width, height, bx, by)
  local p = mach.program{width = width, height = height}
  local u = p:CA("u", {bx, by}, 4, function(X, Y) return (X * 7 + Y * 5) % 11 / 4 end)
  p:loop(3, function()
    u["1:-1, 1:-1, :"] = u["1:-1, 1:-1, :"] + (u["2:, 1:-1, :"] + u[":-2, 1:-1, :"] + u["1:-1, 2:, :"]
                                                + u["1:-1, :-2, :"] - u["1:-1, 1:-1, :"] * 4) * 0.125
  end)
  local r = p:run()
  assert(r.user.differing_words == 0)
  local list = {}
  for Y = 0, 7 do
    for X = 0, 15 do list[#list + 1] = r:array("u"):at(X, Y, 3) end
  end
  return table.concat(list, " "), r.user
end
local one, alone = heat(16, 8, 1, 1)
local block, blocks = heat(4, 2, 4, 4)
local row, rows = heat(4, 4, 4, 2)
assert(one == block and one == row, "mappings give different numbers")
assert(blocks.cycles < 16 * alone.cycles and rows.cycles < 8 * alone.cycles)
print(count .. " programs, " .. calls .. " calls; heat takes " .. alone.cycles .. " cycles on 128 workers, "
      .. rows.cycles .. " on 16, " .. blocks.cycles .. " on 8")

local function refused(text, build)
  local p = mach.program{width = 4, height = 2}
  local a = p:CA("a", {2, 2}, 3)
  local fine, message = pcall(build, p, a)
  assert(not fine and message:find(text, 1, true), message)
end
refused("a slice of cells has step 1", function(_, a) a["::2, :, :"] = 1 end)
refused("cells of a worker along X is 0", function(p) p:CA("b", {0, 1}) end)
refused("{4, 2} is wanted", function(p) p:CA("b", 4) end)
refused("an LA or LS is no array of cells", function(p, a) a:set(p:LA("b", 3)) end)
refused("an LA or LS is no array of cells", function(p, a) a:set(p:LA("b", 3) * 2) end)
refused("a is an array of cells: it is assigned to one", function(p, a) p:LA("b", 3)["0, 0, :"] = a["0, 0, :"] end)
refused("b has blocks of 4 x 1 cells, a of 2 x 2", function(p, a) a["0, :2, :"] = p:CA("b", {4, 1}, 3)["0, :, :"] end)
refused('a["0, 0, :"] is 1 x 1 x 3, but the right side is 1 x 1 x 1', function(_, a) a["0, 0, :"] = a["0, 0, 0"] end)
refused("8 is beyond x, which has 8 elements", function(_, a) a["8, :, :"] = 0 end)
refused("a has no 'slice'; set is its function", function(_, a) a.slice = a.slice end)
refused("cells have no lengths of their own, :k", function(_, a) a[":, :, :k"] = 0 end)
