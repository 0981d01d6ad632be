-- Steps on grids of up to 64 x 64 PEs take as long as on 16 x 16, and the cycles of larger grids lie
-- on the line through two small ones: scripts/gemm/wafer.lua draws such lines out.
local gemm = require "gemm.gemm"
local wse = require "wse"

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

-- Two broadcasts beside the multiplication overtake rings at tiles of 24, for they align nothing; the
-- lines that say so hold on a larger grid.
for _, tile in ipairs{16, 24} do
  local cycles = {}
  for _, algorithm in ipairs{"summa-multicast", "meshgemm"} do
    local runs = {}
    for _, P in ipairs{8, 16, 32} do runs[P] = run(algorithm, P, tile, "best").cycles end
    near(runs[32], 3 * runs[16] - 2 * runs[8], 0.005, algorithm, tile)
    cycles[algorithm] = runs[32]
  end
  assert((cycles["summa-multicast"] < cycles.meshgemm) == (tile == 24))
end

-- With a barrier in every step Cannon's way round the ring is a hop for each PE, as soon as it is
-- longer than what a PE does meanwhile. What the barrier takes alone is subtracted.
local hop = wse.machine("wse3").hop_latency_cycles
local function between_barriers(algorithm, P)
  local function steps(moves)
    return gemm.run{algorithm = algorithm, P = P, multiply = 0, moves = moves, barrier = "step",
                    code = "measured", machine = "wse3", shares = false, check = false}.cycles_per_step
  end
  return steps(1) - steps(0)
end
for algorithm, growth in pairs{cannon = hop, meshgemm = 0} do
  local found = (between_barriers(algorithm, 64) - between_barriers(algorithm, 32)) / 32
  assert(math.abs(found - growth) < 0.05 * hop, algorithm .. " grows by " .. found)
end
print("cycles are linear in P")
