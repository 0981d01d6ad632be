-- Every PE of a grid swaps B words with its four neighbours, all at once; lib/neighbours.lua brings
-- the colours. It takes as long on a large grid as on a small one.
--     B <-> W <-> B <-> W
local wse = require "wse"
local neighbours = require "lib.neighbours"

local function exchange(width, height, words)
  local w = wse.layout(width, height)
  w:const("B", words)
  w:program(".program cell(" .. neighbours.parameters .. ")" .. [[

  .f32 mine[B] = x + 1000 * y + i
  .f32 theirs[4, B]
  .f32 sum[B] exported
  .microthread east, west, south, north
  task main:
    fmovs fabout(to_east), mine[0:x < width - 1 ? B : 0] async east
    fmovs fabout(to_west), mine[0:x > 0 ? B : 0] async west
    fmovs fabout(to_south), mine[0:y < height - 1 ? B : 0] async south
    fmovs fabout(to_north), mine[0:y > 0 ? B : 0] async north
    fmovs theirs[0, 0:x < width - 1 ? B : 0], fabin(from_east)
    fmovs theirs[1, 0:x > 0 ? B : 0], fabin(from_west)
    fmovs theirs[2, 0:y < height - 1 ? B : 0], fabin(from_south)
    fmovs theirs[3, 0:y > 0 ? B : 0], fabin(from_north)
    fadds sum, theirs[0, :], theirs[1, :]
    fadds sum, sum, theirs[2, :]
    fadds sum, sum, theirs[3, :]
]])
  neighbours.place(w, "cell")
  return w
end

local function measure(width, height, words)
  local record = exchange(width, height, words):run()
  local sum = record:array("sum")
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      local expected = 0
      for _, step in ipairs{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} do
        local at_x, at_y = x + step[1], y + step[2]
        if at_x >= 0 and at_x < width and at_y >= 0 and at_y < height then
          expected = expected + at_x + 1000 * at_y + words - 1
        end
      end
      assert(sum:at(x, y, words - 1) == expected, "a sum is wrong")
    end
  end
  return {width = width, height = height, cycles = record.cycles}
end

local W, H = wse.argument("W", 32, 1, 65535), wse.argument("H", 16, 1, 65535)
local B = wse.argument("B", 16, 1, 1024)
local rows = {}
for _, part in ipairs{4, 2, 1} do
  rows[#rows + 1] = measure(math.max(W // part, 2), math.max(H // part, 2), B)
end
print(wse.table(rows, {"width", "height", "cycles"}))
