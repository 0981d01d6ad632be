-- A star on tiles, programs/star: cycles of a step, as others measured them.
--     wsevm run tests/fidelity/programs/tiled-star.lua N=20 R=1 --machine=wse3
-- Runs 2 and 4 steps on W x H PEs, compares all cells with the same sums in Lua, and notes `cycles`: those of the
-- run with 4 steps less those with 2, halved. Rows of an odd number of elements let sums of direct neighbours wait for
-- banks on wse2; of the layouts tried they are closest to what was measured there.
local wse = require "wse"

local W, H = wse.argument("W", 5, 1, 100), wse.argument("H", 5, 1, 100)
local N, R = wse.argument("N", 8, 1, 100), wse.argument("R", 1, 1, 7)
local columns, rows = N * W, N * H

local function start(column, row) return (column * 5 + row * 3) % 8 end

-- The cells after so many steps, row by row, beyond which everything is 0.
local function expected(steps)
  local cells = {}
  for k = 0, columns * rows - 1 do cells[k] = start(k % columns, k // columns) end
  for _ = 1, steps do
    local after = {}
    for row = 0, rows - 1 do
      for column = 0, columns - 1 do
        local k, around = row * columns + column, 0.0
        for d = 1, R do
          if column >= d then around = around + cells[k - d] end
          if column + d < columns then around = around + cells[k + d] end
          if row >= d then around = around + cells[k - d * columns] end
          if row + d < rows then around = around + cells[k + d * columns] end
        end
        after[k] = cells[k] / 2 + around / (8 * R)
      end
    end
    cells = after
  end
  return cells
end

local function cycles(steps)
  local record = wse.run{
    file = "programs/star/star.wsa", values = {W = W, H = H, N = N, R = R, STEPS = steps, ROW = N + 2 * R | 1, BANK = 2},
    inputs = {x = function(x, y, i) return start(N * x + i % N, N * y + i // N) end},
  }
  local y, cells = record:array("y"), expected(steps)
  for row = 0, rows - 1 do
    for column = 0, columns - 1 do
      local got = y:at(column // N, row // N, row % N * N + column % N)
      assert(math.abs(got - cells[row * columns + column]) < 1e-4,
             string.format("the cell in column %d and row %d is wrong", column, row))
    end
  end
  return record.marks["end"].last - record.marks.begin.first
end

local result = (cycles(4) - cycles(2)) / 2
print(string.format("%d x %d PEs with tiles of %d x %d, radius %d: %g cycles per step", W, H, N, N, R, result))
wse.user{cycles = result}
