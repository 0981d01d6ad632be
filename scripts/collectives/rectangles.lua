-- Reduces of rectangles to their first PE: cycles of the best rows and column, of a chain along a snake of all PEs, of
-- the best tree along it, and what auto takes.
--
--   wsevm run scripts/collectives/rectangles.lua --machine=wse2
local calls = require "collectives.calls"
local wse = require "wse"
local sizes = {{4, 4, 16}, {4, 4, 256}, {16, 2, 16}, {16, 2, 256}, {8, 8, 16}, {8, 8, 256}, {16, 16, 256}, {16, 16, 2048}}
wse.no_more_arguments()

local function reduce(W, H, B, pattern)
  local w = wse.layout(W, H):use(calls)
  w:const("B", B)
  local made = w:reduce{name = "total", data = "v", length = B, pattern = pattern}
  w:program".program p\n  .f32 v[B] = x + y\n  task main:\n    mark begin\n    total\n    mark end\n"
  w:place("p", w:all())
  local marks = w:run().marks
  return marks["end"].last - marks.begin.first, made.pattern
end

local rows = {}
for k, size in ipairs(sizes) do
  local W, H, B = table.unpack(size)
  local by_rows = math.huge
  for _, pattern in ipairs{"chain", "tree", "two-phase", "auto-gen"} do
    local fits, cycles = pcall(reduce, W, H, B, pattern)
    by_rows = fits and math.min(by_rows, cycles) or by_rows
  end
  local cycles, pattern = reduce(W, H, B, "auto")
  rows[k] = {size = W .. " x " .. H, words = B, ["rows and column"] = by_rows, snake = reduce(W, H, B, "snake"),
             ["best tree of the snake"] = reduce(W, H, B, "snake-auto-gen"), auto = cycles .. ", " .. pattern}
end
print(("reduce on %s, cycles"):format(wse.machine().name))
print(wse.table(rows, {"size", "words", "rows and column", "snake", "best tree of the snake", "auto"}))
