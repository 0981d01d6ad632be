-- Clusters of points of the plane, as k-means.wsa, on collectives of a layout. Each PE has N points and all K centres; in each turn
-- the sums of the points of each cluster go over all PEs, whatever their number, and centres move to the means, until
-- none moves. The nearest centre is found without branches, as that program explains.
local wse = require "wse"
local W, H = wse.argument("W", 4, 1, 64), wse.argument("H", 4, 1, 64)
local N, K = wse.argument("N", 64, 4, 256), wse.argument("K", 4, 2, 8)

local w = wse.layout(W, H):use(require "collectives.calls")
w:const("N", N)
w:const("K", K)
w:allreduce{name = "add_up", data = "sums", length = 3 * K, root = "best"}
w:program[[
.program points
  .f32 px[N] exported
  .f32 py[N] exported
  .f32 cx[K] = 2 + i                     ; the centres, at first guessed
  .f32 cy[K] = 3 - i
  .i32 nearest[N]
  .i32 turns
  .f32 dx[N]
  .f32 gap[1 + N % 2]                    ; dy begins in another bank than dx
  .f32 dy[N]
  .i32 distance[] = view(dx)
  .f32 sums[3 * K]                       ; of both coordinates, and how many points
  .f32 sum_x[] = view(sums[0:K])
  .f32 sum_y[] = view(sums[K:2 * K])
  .f32 count[] = view(sums[2 * K:3 * K])
  .reg k, point, t, mean, moved
  task main:
  next_turn:
    add32 turns, turns, 1
    mov32 nearest, 0x7fffffff
  .for c = 0..K - 1
    ;! allow E230
    fsubs dx, px, cx[c]
    fmuls dx, dx, dx
    fsubs dy, py, cy[c]
    fmuls dy, dy, dy
    fadds dx, dx, dy
    and32 distance, distance, -8
    or32  distance, distance, c
    min32 nearest, nearest, distance
  .end
    and32 nearest, nearest, 7
    mov32 sums, 0.0
    mov32 point, 0
  next_point:
    mov32 k, nearest[point]
    fadds sum_x[k], sum_x[k], px[point]
    fadds sum_y[k], sum_y[k], py[point]
    fadds count[k], count[k], 1.0
    add32 point, point, 1
    blt   point, N, next_point
    add_up
    mov32 moved, 0
    mov32 k, 0
  next_centre:
    fbeq  count[k], 0.0, empty           ; a cluster without points stays where it is
    fdivs mean, 1.0, count[k]
    fmuls t, sum_x[k], mean
    fbeq  t, cx[k], same_x
    mov32 moved, 1
    mov32 cx[k], t
  same_x:
    fmuls t, sum_y[k], mean
    fbeq  t, cy[k], empty
    mov32 moved, 1
    mov32 cy[k], t
  empty:
    add32 k, k, 1
    blt   k, K, next_centre
    bge   turns, 50, done
    bne   moved, 0, next_turn
  done:
]]
w:place("points", w:all())

-- Points around K places on a lattice.
local function near(x, y, i, salt) return ((37 * i + 11 * x + 17 * y + salt * i * i % 13) % 41 - 20) / 64 end
local function px(x, y, i) return 8 * (i % K % 3) + near(x, y, i, 1) end
local function py(x, y, i) return 8 * (i % K // 3) + near(x, y, i, 5) end
local record = w:run{inputs = {px = px, py = py}}

-- Every point is in the cluster of its lattice place, or with all points of that; centres are the means.
local cx, cy = record:symbol(0, 0, "cx"), record:symbol(0, 0, "cy")
local sums = {}
for k = 1, K do sums[k] = {0, 0, 0} end
for y = 0, H - 1 do
  for x = 0, W - 1 do
    for i = 0, N - 1 do
      local best, least
      for k = 1, K do
        local distance = (px(x, y, i) - cx[k]) ^ 2 + (py(x, y, i) - cy[k]) ^ 2
        if not least or distance < least then best, least = k, distance end
      end
      local sum = sums[best]
      sum[1], sum[2], sum[3] = sum[1] + px(x, y, i), sum[2] + py(x, y, i), sum[3] + 1
    end
  end
end
for k, sum in ipairs(sums) do
  local is_mean = sum[3] == 0 or math.abs(sum[1] / sum[3] - cx[k]) + math.abs(sum[2] / sum[3] - cy[k]) < 1e-4
  assert(is_mean and record:symbol(W - 1, H - 1, "cx")[k] == cx[k], "a centre is no mean of its points")
end
print(("%d points, %d clusters: %d turns of %.0f cycles, sums by %s"):format(W * H * N, K, record:symbol(0, 0, "turns"),
  record.cycles / record:symbol(0, 0, "turns"), record.parts.add_up))
