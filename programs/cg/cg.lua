-- Conjugate gradients for A x = b, as cg.wsa, on collectives of a layout: sums of all PEs are all-reduces by the pattern
-- that takes the fewest cycles, on a row of any length. Each PE decides by itself, all alike, when it is over.
--     A = tridiagonal(-1, 2.5, -1)        PE x of a row has B elements of each vector
local wse = require "wse"
local P, B = wse.argument("P", 8, 2, 512), wse.argument("B", 16, 1, 512)

local w = wse.layout(P, 1):use(require "collectives.calls")
w:const("B", B)
w:add'.include "blas.wsa"'
w:allreduce{name = "total", length = 1, root = "best"}
for _, way in ipairs{{"east", "west", 0}, {"west", "east", 1}} do -- to the neighbours, even and odd PEs in turn
  for parity = 0, 1 do
    local colour = w:colour(("to_%s%d"):format(way[1], parity))
    for x = parity, P - 1, 2 do
      local beside = way[1] == "east" and x + 1 or x - 1
      if beside >= 0 and beside < P then w:path(colour, {x, beside}) end
    end
  end
end
w:program[[
.program cell(e: colour, from_w: colour, w: colour, from_e: colour, is_first: const, is_last: const)
  .f32 b[B] exported
  .f32 x[B]
  .f32 r[B]
  .f32 p[B + 2]                          ; with an element of each neighbour
  .f32 q[B]
  .f32 product[B]
  .f32 pq[1]
  .f32 rr[1]
  .i32 steps
  .reg alpha, old, least
  .microthread east, west
  task main:
    mov32 r, b
    mov32 p[1:B + 1], b
    dot_f32 alpha, r, r, product
    mov32 rr[0], alpha
    total rr
    fmuls least, rr[0], 1e-10
  next:
    ;! allow E230
    fmovs fabout(e), p[B : is_last ? B : B + 1] async east
    fmovs fabout(w), p[1 : is_first ? 1 : 2] async west
    fmovs p[0 : is_first ? 0 : 1], fabin(from_w)
    fmovs p[B + 1 : is_last ? B + 1 : B + 2], fabin(from_e)
    wait  east
    wait  west
    fmuls q, p[1:B + 1], 2.5
    fsubs q, q, p[0:B]
    fsubs q, q, p[2:B + 2]
    dot_f32 alpha, q, p[1:B + 1], product
    mov32 pq[0], alpha
    total pq
    mov32 old, rr[0]
    fdivs alpha, old, pq[0]
    axpy_f32 x, alpha, p[1:B + 1]
    fmuls alpha, alpha, -1.0
    axpy_f32 r, alpha, q
    dot_f32 alpha, r, r, product
    mov32 rr[0], alpha
    total rr
    fdivs alpha, rr[0], old
    fmacs p[1:B + 1], r, p[1:B + 1], alpha
    add32 steps, steps, 1
    bge   steps, 100, over
    fbgt  rr[0], least, next
  over:
]]
w:place("cell", w:all(), {
  e = "x % 2 ? to_east1 : to_east0", from_w = "x % 2 ? to_east0 : to_east1",
  w = "x % 2 ? to_west1 : to_west0", from_e = "x % 2 ? to_west0 : to_west1",
  is_first = "x == 0", is_last = "x == width - 1"})

local function wanted(k) return k < 0 and 0 or k >= P * B and 0 or k % 7 - 3 end
local record = w:run{inputs = {b = function(x, _, i)
  local k = x * B + i
  return 2.5 * wanted(k) - wanted(k - 1) - wanted(k + 1)
end}}
local largest = 0
for x = 0, P - 1 do
  for i, value in ipairs(record:symbol(x, 0, "x")) do
    largest = math.max(largest, math.abs(value - wanted(x * B + i - 1)))
  end
end
assert(largest < 1e-3, "the solution is wrong")
local steps = record:symbol(0, 0, "steps")
print(("%d unknowns on %d PEs: %d steps of %.0f cycles, %d cycles in all"):format(P * B, P, steps, record.cycles / steps,
  record.cycles))
