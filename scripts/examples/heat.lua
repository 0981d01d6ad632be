-- Heat spreads over a plate of W x H cells, one for each PE, surrounded by ice water. In every step
-- a cell swaps its temperature with its neighbours' (lib/neighbours.lua):
--     u = u + alpha * (east + west + south + north - 4 u)
-- The plate is a hot disc, or a file: file=programs/heat/field.npy W=64 H=64
-- The script holds the machine: each launch continues where the last one has stopped.
local wse = require "wse"
local neighbours = require "lib.neighbours"

local function plate(width, height)
  local w = wse.layout(width, height)
  w:param("alpha", "f32", 0.2)
  w:program(".program cell(" .. neighbours.parameters .. ")" .. [[

  .f32 before exported
  .f32 u[1] exported
  .f32 near[4]                            ; 0 where there is no neighbour
  .reg k, steps, flow
  task main:
    fmovs u[0], before
  task go exported (steps: i32):
    mov32 k, 0
  next:
    bge   k, steps, done
    fmovs fabout(to_east), u[0:x < width - 1 ? 1 : 0]
    fmovs fabout(to_west), u[0:x > 0 ? 1 : 0]
    fmovs fabout(to_south), u[0:y < height - 1 ? 1 : 0]
    fmovs fabout(to_north), u[0:y > 0 ? 1 : 0]
    fmovs near[0:x < width - 1 ? 1 : 0], fabin(from_east)
    fmovs near[1:x > 0 ? 2 : 1], fabin(from_west)
    fmovs near[2:y < height - 1 ? 3 : 2], fabin(from_south)
    fmovs near[3:y > 0 ? 4 : 3], fabin(from_north)
    fmuls flow, u[0], -4.0
    fadds flow, flow, near                ; the sum of all
    fmacs u[0], u[0], flow, alpha
    add32 k, k, 1
    jmp   next
  done:
]])
  neighbours.place(w, "cell")
  return w
end

-- The same in Lua, on an array as records have it.
local function step(u, width)
  local after = {}
  for k = 1, #u do
    local x = (k - 1) % width
    local near = (x > 0 and u[k - 1] or 0) + (x < width - 1 and u[k + 1] or 0)
                 + (u[k - width] or 0) + (u[k + width] or 0)
    after[k] = u[k] + 0.2 * (near - 4 * u[k])
  end
  return after
end

local W, H = wse.argument("W", 32, 1, 65535), wse.argument("H", 24, 1, 65535)
local last = wse.argument("steps", 40, 0, 1000000)
local file, out = wse.argument("file", ""), wse.argument("out", "out")
local function disc(x, y)
  return (x - W / 2) ^ 2 + (y - H / 2) ^ 2 < (math.min(W, H) / 4) ^ 2 and 100 or 0
end

local s <close> = plate(W, H):start{inputs = {before = file ~= "" and file or disc}}
local before = s:read("before")
local rows, expected, done, cycles, u = {}, before, 0, 0, nil
for _, steps in ipairs{last // 4, last // 2, last} do
  cycles = cycles + s:launch("go", {steps - done}).cycles
  for _ = done + 1, steps do expected = step(expected, W) end
  done, u = steps, s:read("u")
  local hottest, worst = 0, 0
  for k = 1, #u do
    hottest, worst = math.max(hottest, u[k]), math.max(worst, math.abs(u[k] - expected[k]))
  end
  assert(worst < 1e-3, "the plate differs from that of Lua")
  rows[#rows + 1] = {steps = steps, cycles = cycles, hottest = hottest}
end
print(wse.table(rows, {"steps", "cycles", {name = "hottest", format = "%.1f"}}))
local function picture(name, title, values)
  wse.heat_map{file = out .. "/heat-" .. name .. ".svg", values = values,
               title = title, label = "degrees", range = {0, 100}}
end
picture("before", "Before", before)
picture("after", "After " .. last .. " steps", u)
