-- Products on P x P PEs: integers exact, random numbers within what rounding explains, on every
-- algorithm, profile, code and type; sizes that P does not divide; counters.
local gemm = require "support.gemm"
local reference = require "gemm.lib.reference"

for _, machine in ipairs{"wse2", "wse3", "model"} do
  for _, P in ipairs{1, 2, 3, 4, 5, 7} do
    for _, algorithm in ipairs(gemm.algorithms) do
      for k, code in ipairs{"best", "measured"} do
        local single = P % 2 == 0 and k == 2
        gemm.run{algorithm = algorithm, P = P, M = 3 * P - (P > 1 and 1 or 0), K = 2 * P + 1,
                 N = P + 2, code = code, machine = machine, input = "integers",
                 repeats = 1 + (P + k) % 2, warmup = P % 3 == 0 and 1 or 0, type = single and "f32" or "f16",
                 accumulate = P % 3 == 0 and "f32" or nil, seed = P}
      end
    end
  end
end

-- Random numbers, matrices that are larger and smaller than the grid.
for _, algorithm in ipairs(gemm.algorithms) do
  for _, types in ipairs{{"f16", "f16"}, {"f16", "f32"}, {"f32", "f32"}} do
    gemm.run{algorithm = algorithm, P = 4, M = 9, K = 33, N = 2, type = types[1],
             accumulate = types[2], seed = 7}
  end
  gemm.run{algorithm = algorithm, P = 5, M = 1, K = 1, N = 1}
  gemm.run{algorithm = algorithm, P = 3, Mt = 24, Kt = 3, Nt = 5}
end

-- Grids side by side: any number of layers, also more than K has blocks for.
for _, machine in ipairs{"wse2", "wse3", "model"} do
  for _, P in ipairs{1, 2, 3, 5} do
    for layers = 1, 4 do
      gemm.run{algorithm = "2.5d", P = P, layers = layers, M = P + 1, K = 3 * P + 2, N = 2 * P + 1,
               input = "integers", code = layers % 2 == 0 and "best" or "measured",
               repeats = P % 2 + 1, machine = machine, type = P == 3 and "f32" or "f16"}
    end
  end
end
gemm.run{algorithm = "2.5d", P = 4, layers = 3, M = 9, K = 50, N = 7, accumulate = "f32"}
gemm.run{algorithm = "2.5d", P = 2, layers = 3, M = 3, K = 1, N = 3}

-- summa with one type is the sum over k in ascending order, one rounding for each product, to the
-- last bit; and the order of the others gives other bits somewhere.
local function differences(options)
  local _, _, request, all = gemm.run(options)
  local expected, count = reference.rounded(request, all.a, all.b), 0
  for k = 1, request.M * request.N do
    if all.c[k] ~= expected[k] then count = count + 1 end
  end
  return count
end
for _, P in ipairs{1, 3, 4} do
  for _, type in ipairs{"f16", "f32"} do
    local options = {algorithm = "summa", P = P, M = 10, K = 150, N = 9, type = type}
    assert(differences(options) == 0)
    options.algorithm = "summa-multicast"
    assert(differences(options) == 0)
  end
end
assert(differences{algorithm = "meshgemm", P = 4, M = 10, K = 150, N = 9} > 0)

-- What is left out and what is made twice: the product is 0, or twice as large, and takes longer.
for _, algorithm in ipairs(gemm.algorithms) do
  for _, code in ipairs{"best", "measured"} do
    local function cycles(multiply, moves)
      return gemm.run{algorithm = algorithm, P = 4, Mt = 4, Kt = 4, Nt = 4, multiply = multiply,
                      moves = moves, input = "integers", code = code}.cycles
    end
    local once = cycles(1, 1)
    assert(cycles(0, 1) < once and once < cycles(2, 1) and once < cycles(1, 2))
  end
end

-- A barrier in every step changes no result, and takes its time.
for _, algorithm in ipairs(gemm.algorithms) do
  for _, machine in ipairs{"wse2", "wse3"} do
    for _, P in ipairs{1, 2, 5} do
      local options = {algorithm = algorithm, P = P, M = 7, K = 9, N = 8, input = "integers",
                       machine = machine, code = P == 5 and "measured" or "best"}
      local free = gemm.run(options).cycles
      options.barrier = "step"
      local bound = gemm.run(options).cycles
      assert(P == 1 and bound == free or P > 1 and bound > free)
    end
  end
end

-- The product with a transposed matrix is that of the matrix in the file of the other kind.
do
  local _, _, _, b = gemm.run{P = 2, M = 5, K = 4, N = 3, seed = 3, c = "gemm_t.npy"}
  local plain = gemm.run{P = 2, M = 2, K = 5, N = 3, b = "gemm_t.npy", seed = 9, algorithm = "summa"}
  local turned = gemm.run{P = 2, M = 2, K = 3, N = 5, b = "gemm_t.npy", seed = 9,
                          algorithm = "meshgemm-t"}
  assert(plain.compared == 6 and turned.compared == 10 and b.c.rows == 5)
end
print(gemm.runs .. " products")
