-- The Fourier transform of a picture of N x N numbers, whose rows N PEs have: each transforms its row, an
-- all-to-all turns rows into columns, and each transforms what has become its column.
local wse = require "wse"
local log2_n = wse.argument("log2_n", 4, 2, 6)
local N = 1 << log2_n

local w = wse.layout(N, 1):use(require "collectives.calls")
w:const("LOG2_N", log2_n)
w:const("N", N)
w:add'.include "fft.wsa"'
w:alltoall{name = "turn", length = 1}            -- turn v, u: element j goes to PE j
w:program[[
.program line
  .f32 v[2, N] exported
  .f32 u[2, N]
  .f32 a[2, N + 2]
  .f32 b[2, N + 2]
  .f32 w[3, N / 2]
  .f32 difference[2, N / 2]
  .f32 product[2, N / 2]
  .reg k, angle, value
  task main:
    fft_factors 0, LOG2_N, w, k, angle, value
    fft 0, LOG2_N, u, v, w, a, b, difference, product
    turn v[0, :], u[0, :]
    turn v[1, :], u[1, :]
    fft 0, LOG2_N, u, v, w, a, b, difference, product
    mov32 v, u
]]
w:place("line", w:all())

-- A wave of 2 periods along x and 1 along y: the transform is N * N at (2, 1), and 0 elsewhere.
local function wave(x, _, i)
  local angle = 2 * math.pi * (2 * (i % N) + x) / N
  return i < N and math.cos(angle) or math.sin(angle)
end
local record = w:run{inputs = {v = wave}}
local largest = record:compare("v", function(x, _, i) return x == 2 and i == 1 and N * N or 0 end).largest
print(("%d x %d: %d cycles, error %.1e"):format(N, N, record.cycles, largest / (N * N)))
assert(largest < 1e-6 * N * N)
