-- One PE sends B words to a whole grid, from wherever it is: a trunk along its row, and from
-- there along every column. Each router copies the words to its PE and passes them on.
--     < < o > >     o the root
--     v v v v v     the word of a PE has gone the shortest way
local wse = require "wse"

local function broadcast(width, height, x, y, words)
  local w = wse.layout(width, height)
  local red = w:colour("red")
  w:const("B", words)
  w:program[[
.program root
  .f32 v[B] exported = i + 0.5
  .u32 arrival exported
  task main:
    fmovs fabout(red), v
.program leaf
  .f32 v[B] exported
  .u32 arrival exported                   ; when the last word was here
  .reg now
  task main:
    fmovs v, fabin(red)
    tsc   now
    mov32 arrival, now
]]
  local root = w:pe(x, y)
  w:place("root", root)
  w:place("leaf", w:all() - root)
  w:multicast(red, {x, y}, w:all())
  return w
end

local W, H = wse.argument("W", 24, 1, 65535), wse.argument("H", 16, 1, 65535)
local B = wse.argument("B", 4, 1, 8192)
local out = wse.argument("out", "out")
local roots = {{name = "corner", x = 0, y = 0}, {name = "middle of an edge", x = W // 2, y = 0},
               {name = "middle", x = W // 2, y = H // 2}}
local record
for _, root in ipairs(roots) do
  record = broadcast(W, H, root.x, root.y, B):run()
  root.cycles = record.cycles
  root.farthest = math.max(root.x, W - 1 - root.x) + math.max(root.y, H - 1 - root.y)
  local v = record:array("v")
  for k = 1, #v do assert(v[k] == (k - 1) % B + 0.5, "a word is wrong") end
end
print(wse.table(roots, {{name = "name", title = "root"}, "farthest", "cycles"}))
wse.heat_map{file = out .. "/broadcast-2d.svg", values = record:array("arrival"),
             title = "When the last word is there, from the middle", label = "cycle"}
