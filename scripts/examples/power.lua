-- The largest eigenvalue of a matrix, by power iteration: PEs of a grid have rows of it, and share their part
-- of the vector after each product. The matrix min(i, j) + 1 has eigenvalues that are known.
local wse = require "wse"
local W, H, rows = wse.argument("W", 4, 1, 64), wse.argument("H", 2, 1, 64), wse.argument("rows", 2, 1, 8)
local w = wse.layout(W, H):use(require "collectives.calls")
w:const("ROWS", rows)
w:const("N", W * H * rows)
w:add'.include "blas.wsa"'
w:allgather{name = "share", length = rows}       -- share x, y: all get the parts of all, row by row
w:program[[
.program power(first: i32)
  .f32 a[ROWS, N] = min(first + i / N, i % N) + 1
  .f32 x[N] = 1
  .f32 y[ROWS]
  .f32 product[N]
  .reg turn, row, value
  task main:
    mov32 turn, 12
  again:
    mov32 row, 0
  next:
    dot_f32 value, a[row, :], x, product
    mov32 y[row], value
    add32 row, row, 1
    blt   row, ROWS, next
    share x, y
    mov32 value, 0.0
    fmaxs value, value, x             ; tends to the eigenvalue
    fdivs value, 1.0, value
    fmuls x, x, value
    sub32 turn, turn, 1
    bgt   turn, 0, again
    mov32 y[0], value
]]
w:place("power", w:all(), {first = "ROWS * (width * y + x)"})
local record = w:run()
local found = 1 / record:symbol(0, 0, "y")[1]
local exact = 1 / (4 * math.sin(math.pi / (4 * W * H * rows + 2)) ^ 2)
print(("%d PEs: eigenvalue %.3f, exactly %.3f, in %d cycles"):format(W * H, found, exact, record.cycles))
assert(math.abs(found / exact - 1) < 1e-4)
