-- The full matrix: all algorithms, both codes, two profiles, sizes that P divides and does not.
local gemm = require "support.gemm"
local reference = require "gemm.lib.reference"

for _, machine in ipairs{"wse2", "wse3"} do
  for _, P in ipairs{1, 2, 3, 4, 5, 7, 8, 16, 33} do
    for _, algorithm in ipairs(gemm.algorithms) do
      for _, code in ipairs{"best", "measured"} do
        local large = P > 8
        local sizes = {{2 * P, 2 * P, 2 * P}, {P + 1, 2 * P - 1, P}, {3 * P + 1, P, 2 * P + 1}}
        for k = 1, large and 2 or 3 do
          for _, types in ipairs{{"f16", "f16"}, {"f16", "f32"}, {"f32", "f32"}} do
            for _, input in ipairs{"integers", "random"} do
              if not large or types[1] ~= types[2] or k == 2 then
                gemm.run{algorithm = algorithm, P = P, M = sizes[k][1], K = sizes[k][2],
                         N = sizes[k][3], type = types[1], accumulate = types[2], code = code,
                         machine = machine, input = input, seed = P + k}
              end
            end
          end
        end
      end
    end
  end
end

-- Grids side by side.
for _, machine in ipairs{"wse2", "wse3"} do
  for _, P in ipairs{1, 2, 3, 4, 5, 7, 8, 16, 33} do
    for k, code in ipairs{"best", "measured"} do
      for n, types in ipairs{{"f16", "f16"}, {"f16", "f32"}, {"f32", "f32"}} do
        for _, input in ipairs{"integers", "random"} do
          local layers = P > 8 and 2 or 4 - k
          gemm.run{algorithm = "2.5d", P = P, layers = layers, M = 2 * P - 1, K = 3 * P + 1,
                   N = P + 1, type = types[1], accumulate = types[2], code = code,
                   machine = machine, input = input, seed = P}
          if P <= 8 or n == k then
            gemm.run{algorithm = "2.5d", P = P, layers = layers, M = P, K = layers * P, N = 2 * P,
                     type = types[1], accumulate = types[2], code = code, machine = machine,
                     input = input, seed = P}
          end
        end
      end
    end
  end
end

-- Broadcasts bring the tiles in the order of K: to the last bit the sum over k = 0 .. K - 1 with one
-- fused rounding for each product.
for _, machine in ipairs{"wse2", "wse3"} do
  for _, P in ipairs{1, 2, 3, 4, 5, 7, 8, 16, 33} do
    for _, code in ipairs{"best", "measured"} do
      for _, algorithm in ipairs{"summa", "summa-multicast"} do
        local _, _, request, all = gemm.run{algorithm = algorithm, P = P, M = P + 2, K = 4 * P + 3,
                                            N = P + 1, accumulate = "f16", code = code,
                                            machine = machine, seed = P}
        local expected = reference.rounded(request, all.a, all.b)
        for k = 1, request.M * request.N do
          assert(all.c[k] == expected[k], algorithm .. " " .. P .. " " .. code)
        end
      end
    end
  end
end
print(gemm.runs .. " products")
