-- Steps on grids of up to 64 x 64 PEs take as long as on 16 x 16, and the cycles of larger grids lie
-- on the line through two small ones: scripts/gemm/wafer.lua draws such lines out.
local gemm = require "gemm.gemm"

local kAlgorithms = {"summa", "summa-multicast", "cannon", "meshgemm"}

local function run(algorithm, P, tile, code)
  return gemm.run{algorithm = algorithm, P = P, Mt = tile, Kt = tile, Nt = tile, code = code,
                  machine = "wse3", shares = false, check = false}
end

local function near(found, expected, part, ...)
  local what = table.concat({...}, " ") .. ": " .. found .. ", expected " .. expected
  assert(math.abs(found / expected - 1) < part, what)
end

for _, tile in ipairs{4, 8} do
  for _, code in ipairs{"best", "measured"} do
    local last = {}
    for _, algorithm in ipairs(kAlgorithms) do
      local runs = {}
      for _, P in ipairs{8, 16, 32, 64} do runs[P] = run(algorithm, P, tile, code) end
      local slope = (runs[16].cycles - runs[8].cycles) / 8
      for _, P in ipairs{32, 64} do
        near(runs[P].cycles_per_step, runs[16].cycles_per_step, 0.02, algorithm, tile, code, P)
        near(runs[P].cycles, runs[16].cycles + (P - 16) * slope, 0.02, algorithm, tile, code, P)
      end
      last[algorithm] = runs[64].cycles_per_step
    end
    near(last.cannon, last.meshgemm, 0.03, "cannon", tile, code)
  end
end
print("cycles are linear in P")
