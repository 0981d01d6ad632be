-- Steps take as long on a larger grid, whatever the latency of a hop; only with a barrier in each of
-- them does it show how far the longest word travels. The best code is never slower.
local gemm = require "gemm.gemm"
local wse = require "wse"

local function steps(options)
  local given = {shares = false, check = false}
  for name, value in pairs(options) do given[name] = value end
  return gemm.run(given).cycles_per_step
end

-- Words of tiles travel beside the multiplication, and waves of them through the grid.
for _, code in ipairs{"best", "measured"} do
  local found = {}
  for _, algorithm in ipairs{"summa", "cannon", "meshgemm"} do
    local function of(P)
      return steps{algorithm = algorithm, P = P, Mt = 4, Kt = 4, Nt = 4, code = code, machine = "wse3"}
    end
    local small, large = of(16), of(32)
    assert(math.abs(large / small - 1) < 0.02, algorithm .. " " .. small .. " " .. large)
    found[algorithm] = large
  end
  assert(math.abs(found.cannon / found.meshgemm - 1) < 0.03)
end

-- On the profile model, where a PE does nothing beside: the way round the ring is a hop for each PE.
local function between_barriers(algorithm, P, hop)
  local function of(moves)
    return steps{algorithm = algorithm, P = P, multiply = 0, moves = moves, barrier = "step",
                 code = "measured", machine = {base = "model", hop_latency = hop}}
  end
  return of(1) - of(0)
end
for _, hop in ipairs{1, 3} do
  local function growth(algorithm)
    return (between_barriers(algorithm, 32, hop) - between_barriers(algorithm, 16, hop)) / 16
  end
  assert(math.abs(growth("cannon") - hop) < 0.02 * hop, growth("cannon"))
  assert(math.abs(growth("meshgemm")) < 0.05 * hop, growth("meshgemm"))
end

for _, algorithm in ipairs{"summa", "summa-multicast", "cannon", "meshgemm", "meshgemm-t",
                        "allgather"} do
  for _, tile in ipairs{1, 2, 3, 8, 24} do
    for _, machine in ipairs{"wse2", "wse3"} do
      local function cycles(code)
        return gemm.run{algorithm = algorithm, P = 3, Mt = tile, Kt = tile, Nt = tile, code = code,
                        machine = machine, shares = false, check = false}.cycles
      end
      local best, measured = cycles("best"), cycles("measured")
      assert(best <= measured, algorithm .. " " .. tile .. " " .. best .. " " .. measured)
      if tile == 24 then assert(best <= 0.9 * measured) end
    end
  end
end
-- Where C begins: with columns of 8 elements every issue conflicts with A or none does, on wse2 where both
-- begin in banks equal modulo 4. An issue of 4 elements takes a cycle more then.
for _, code in ipairs{"best", "measured"} do
  local profile = wse.machine("wse2")
  for _, algorithm in ipairs{"summa", "meshgemm"} do
    local found = {}
    for bank = 0, profile.banks - 2, 2 do
      local result = gemm.run{algorithm = algorithm, P = 2, Mt = 8, Kt = 8, Nt = 8, code = code,
                              banks = bank, machine = "wse2", shares = false}
      assert(result.bound_share < 1 and result.banks == bank)
      found[bank] = result.cycles_per_step
    end
    local issues = 8 * 8 * 8 // profile.simd_16bit
    assert(found[0] == found[4] and found[2] == found[6])
    assert(found[0] - found[2] == issues * (profile.bank_conflict_cycles - 1), algorithm .. code)
  end
end
print("steps are as long as promised")
