-- The Fourier transform of N x N x N numbers. PE (x, y) of N x N has the pencil of all z: it transforms that, an
-- all-to-all of its row turns z into x, one of its column x into y. The numbers are f(x) g(y) h(z), whose transform
-- is that of f, times that of g, times that of h. With lines = true one row and then one column run alone: since
-- all rows do the same, and then all columns, that takes the same cycles.
local wse = require "wse"
local log2_n = wse.argument("log2_n", 4, 2, 9)
local kind = wse.argument("type", "f32")
local sections = wse.argument("sections", 4, 1, 6)   -- of an all-to-all: more are faster, and take four colours each
local by_lines = wse.argument("lines", false)
wse.no_more_arguments()
if kind ~= "f32" and kind ~= "f16" then error(("type = %s: f32 or f16 is wanted"):format(kind), 0) end
local N, half = 1 << log2_n, kind == "f16"

-- The part of the transform from the all-to-all `first` (0 of rows, 1 of columns, with the transform before it of
-- rows alone) to before `last`, on width x height PEs: cycles and the record.
local function run(width, height, first, last)
  local w = wse.layout(width, height):use(require "collectives.calls")
  for name, value in pairs{LOG2_N = log2_n, N = N, HALF = half and 1 or 0, FIRST = first, LAST = last} do
    w:const(name, value)
  end
  w:add'.include "fft.wsa"'
  local function add(name, along)
    w:alltoall{name = name, along = along, length = 1, type = kind, sections = sections}
    return name .. " q, p"
  end
  local rows = first == 0 and add("turn_rows", "rows") or ""
  local columns = last == 2 and add("turn_columns", "columns") or ""
  w:program((([[
.program pencil
  .f32 v[2, N] exported = i < N ? (1 + x * 37 % 11) * (1 + y * 29 % 13) * (1 + i * 23 % 7) / 1024.0 : 0.0
  .f32 a[2, N + 2]
  .f32 b[2, N + 2]
  .f32 w[3, N / 2]
  .f32 difference[2, N / 2]
  .f32 product[2, N / 2]
  .f32 p[] = view(a[0, 0:N])             ; between transforms nobody needs a and b
  .f32 q[] = view(b[0, 0:N])
  .reg part, turn, value
  task main:
    fft_factors HALF, LOG2_N, w, part, turn, value
    mark begin
    mov32 turn, FIRST
    beq turn, 1, pencils
  again:
    ;! allow E230
    fft HALF, LOG2_N, v, v, w, a, b, difference, product
  .if HALF                               ; so that sums stay within f16
    fmulh v, v, 1.0 / N
  .end
    beq turn, LAST, over
  pencils:
    mov32 part, 0
  next:                                  ; real parts, then imaginary ones
    fmovs p, v[part, :]
    bne turn, 0, columns
    ROWS
    jmp turned
  columns:
    COLUMNS
  turned:
    fmovs v[part, :], q
    add32 part, part, 1
    blt part, 2, next
    add32 turn, turn, 1
    jmp again
  over:
    mark end
]]):gsub("%.f32", "." .. kind):gsub("fmovs", half and "fmovh" or "fmovs"):gsub("ROWS", rows):gsub("COLUMNS", columns)))
  w:place("pencil", w:all())
  local record = w:run()
  return record.marks["end"].last - record.marks.begin.first, record
end

-- The transform of N numbers, by its sum.
local function transform(of)
  local real, imaginary = {}, {}
  for k = 0, N - 1 do
    real[k], imaginary[k] = 0, 0
    for n = 0, N - 1 do
      real[k] = real[k] + of(n) * math.cos(2 * math.pi * (k * n % N) / N)
      imaginary[k] = imaginary[k] - of(n) * math.sin(2 * math.pi * (k * n % N) / N)
    end
  end
  return real, imaginary
end

-- The largest error of a whole transform, as a part of the largest number. PE (x, y) has kz = x, kx = y and all ky.
local function error_of(record)
  local scale = half and 1 / N or 1
  local fr, fi = transform(function(x) return (1 + x * 37 % 11) / 1024 * scale end)
  local gr, gi = transform(function(y) return (1 + y * 29 % 13) * scale end)
  local hr, hi = transform(function(z) return (1 + z * 23 % 7) * scale end)
  local off = record:compare("v", function(x, y, i)
    local k = i % N
    local r, m = fr[y] * hr[x] - fi[y] * hi[x], fr[y] * hi[x] + fi[y] * hr[x]
    return i < N and r * gr[k] - m * gi[k] or r * gi[k] + m * gr[k]
  end).largest
  return off / (fr[0] * gr[0] * hr[0])
end

local function report(cycles, text)
  print(("%d x %d x %d, %s: %d cycles, %.1f us, %s"):format(N, N, N, kind, cycles, cycles / wse.machine().clock_mhz, text))
end
if by_lines then
  local rows, columns = run(N, 1, 0, 1), run(1, N, 1, 2)
  report(rows + columns, ("%d of a row and %d of a column"):format(rows, columns))
else
  local cycles, record = run(N, N, 0, 2)
  local off = error_of(record)
  report(cycles, ("error %.1e"):format(off))
  assert(off < (half and 4e-3 or 1e-6))
end
