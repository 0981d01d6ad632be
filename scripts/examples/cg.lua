-- Conjugate gradients, driven by a host: a row of PEs has the vectors and multiplies, the script decides. Each
-- step launches three tasks, with the numbers that the host has computed as arguments.
--     A = tridiagonal(-1, 2.5, -1)        PE x has B elements of each vector
--     neighbours swap the elements at their borders, partial sums go west in a chain
local wse = require "wse"

local program = [[
.program cell(to_east: colour, from_west: colour, to_west: colour, from_east: colour, sums: colour, from_sums: colour)
  .f32 x[B] exported
  .f32 r[B] exported
  .f32 p[B + 2] exported                  ; with an element of each neighbour
  .f32 q[B]
  .f32 product[B]
  .f32 total[1]
  .reg alpha, beta, sum
  .microthread east, west
  task main:
  task multiply exported:                 ; q = A p, total = p q
    fmovs fabout(to_east), p[B : x < width - 1 ? B + 1 : B] async east
    fmovs fabout(to_west), p[1 : x > 0 ? 2 : 1] async west
    fmovs p[0 : x > 0 ? 1 : 0], fabin(from_west)
    fmovs p[B + 1 : x < width - 1 ? B + 2 : B + 1], fabin(from_east)
    wait  east
    wait  west
    fmuls q, p[1:B + 1], 2.5
    fsubs q, q, p[0:B]
    fsubs q, q, p[2:B + 2]
    fmuls product, p[1:B + 1], q
    jmp   add_up
  task step exported (alpha: f32):        ; x += alpha p, r -= alpha q, total = r r
    fmacs x, x, p[1:B + 1], alpha
    fmuls alpha, alpha, -1.0
    fmacs r, r, q, alpha
    fmuls product, r, r
  add_up:
    mov32 sum, 0.0
    fadds sum, sum, product
    fmovs total[0], sum
    fmovs fabout(sums), total[0 : x == width - 1 ? 1 : 0]
    fadds fabout(sums), total[0 : 0 < x && x < width - 1 ? 1 : 0], fabin(from_sums)
    fadds total[0 : x == 0 ? 1 : 0], total[0 : x == 0 ? 1 : 0], fabin(from_sums)
  task turn exported (beta: f32):         ; p = r + beta p
    fmacs p[1:B + 1], r, p[1:B + 1], beta
]]

local function cells(P, B)
  local w = wse.layout(P, 1)
  w:const("B", B)
  local parameters = {}
  for _, way in ipairs{{"east", 1, "to_east", "from_west"}, {"west", -1, "to_west", "from_east"},
                       {"west", -1, "sums", "from_sums"}} do
    local port, step, to, from = table.unpack(way)
    local even, odd = w:colour(to .. "_even"), w:colour(to .. "_odd")
    for x = 0, P - 1 do
      local beside = x + step
      if beside >= 0 and beside < P then
        local colour = x % 2 == 0 and even or odd
        w:route(colour, w:pe(x), "ramp -> " .. port)
        w:route(colour, w:pe(beside), (port == "east" and "west" or "east") .. " -> ramp")
      end
    end
    parameters[to] = ("x %% 2 ? %s_odd : %s_even"):format(to, to)
    parameters[from] = ("x %% 2 ? %s_even : %s_odd"):format(to, to)
  end
  w:program(program)
  w:place("cell", w:all(), parameters)
  return w
end

local P, B = wse.argument("P", 8, 2, 1000), wse.argument("B", 16, 1, 1000)
local function wanted(k) return k < 0 and 0 or k >= P * B and 0 or k % 7 - 3 end
local function b(x, _, i)
  local k = x * B + i
  return 2.5 * wanted(k) - wanted(k - 1) - wanted(k + 1)
end

local s <close> = cells(P, B):start{inputs = {
  r = b, p = function(x, y, i) return i >= 1 and i <= B and b(x, y, i - 1) or 0 end}}
local function total() return s:symbol(0, 0, "total")[1] end

local rr = 0
for k = 0, P * B - 1 do rr = rr + b(k // B, 0, k % B) ^ 2 end
local steps, first, busy = 0, rr, 0
while rr > 1e-10 * first and steps < 100 do
  local cycles = s:launch("multiply").cycles
  cycles = cycles + s:launch("step", {rr / total()}).cycles
  local new = total()
  cycles = cycles + s:launch("turn", {new / rr}).cycles
  rr, steps, busy = new, steps + 1, busy + cycles
end

local x, largest = s:read("x"), 0
for k = 0, P * B - 1 do largest = math.max(largest, math.abs(x[k + 1] - wanted(k))) end
assert(largest < 1e-3, "the solution is wrong")
print(("%d unknowns on %d PEs: %d steps of %.0f cycles, %d cycles in all"):format(P * B, P, steps, busy / steps, s:cycle()))
