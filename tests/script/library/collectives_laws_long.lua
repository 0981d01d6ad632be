-- Reduce in time, in full: laws of the profile `model` to the cycle, Eq. 1, published cycles, and
-- that the best code is never slower than the code as it was measured.
local collectives = require "support.collectives"
local model = require "collectives.model"
local reduction = require "collectives.reduce"
local check = collectives.check

local function exact(pattern, P, B, S)
  local law = S and model.exact.two_phase(P, B, S) or model.exact[pattern](P, B)
  local options = {pattern = pattern, P = P, B = B, S = S, machine = "model"}
  collectives.within(options, "cycles", check(reduction.run, options).cycles, law, law)
end

for _, B in ipairs{1, 2, 7, 64, 1000, 4096} do
  for _, P in ipairs{2, 3, 5, 17, 100, 511, 512} do
    if P * B <= 131072 then exact("star", P, B) end
    exact("chain", P, B)
  end
  for K = 1, 9 do exact("tree", 1 << K, B) end
  for _, size in ipairs{{4, 2}, {6, 2}, {6, 3}, {64, 8}, {100, 2}, {100, 4}, {100, 10}, {100, 50},
                        {511, 7}, {511, 73}, {512, 2}, {512, 16}, {512, 32}, {512, 256}} do
    exact("two-phase", size[1], B, size[2])
  end
end

-- Every size of two-phase that has a law, and every power of two.
for P = 4, 40 do
  for S = 2, P // 2 do
    if P % S == 0 then
      for _, B in ipairs{1, 5, 19, 60} do exact("two-phase", P, B, S) end
    end
  end
end

-- Eq. 1; of a generated tree that is a star the refined one.
local function near_equation(options)
  local result = check(reduction.run, options)
  collectives.within(options, "cycles / Eq. 1", result.cycles / result.model_cycles, 0.8, 1.2)
end
for _, P in ipairs{2, 3, 5, 8, 12, 16, 17, 32, 64, 100, 128, 256, 511, 512} do
  for _, B in ipairs{1, 2, 7, 64, 256, 1000, 4096} do
    near_equation{pattern = "auto-gen", P = P, B = B, machine = "model"}
  end
end
for _, pattern in ipairs(collectives.grid_patterns) do
  for _, size in ipairs{{1, 7}, {7, 1}, {5, 3}, {16, 16}, {33, 20}, {64, 64}} do
    for _, B in ipairs{1, 2, 7, 16, 64, 256} do
      if pattern ~= "xy-star" or B <= 16 then
        near_equation{pattern = pattern, width = size[1], height = size[2], B = B,
                      machine = "model"}
      end
    end
  end
end

-- Measured on the vendor's simulator, see collectives_reduce.lua: the long ones.
for _, row in ipairs{{"chain", 512, 4096, 7223}, {"two-phase", 512, 8192, 17201, 32},
                     {"tree", 512, 8192, 74097}} do
  local options = {pattern = row[1], P = row[2], B = row[3], S = row[5], machine = "wse2",
                   code = "measured"}
  local cycles = check(reduction.run, options).cycles
  collectives.within(options, "cycles", cycles + 29, 0.95 * row[4], 1.05 * row[4])
end

local function best_is_best(options)
  options.code = "measured"
  local measured = check(reduction.run, options).cycles
  options.code = "best"
  collectives.within(options, "cycles", check(reduction.run, options).cycles, 1, measured)
end
for _, machine in ipairs(collectives.profiles) do
  for _, B in ipairs{1, 7, 64, 512} do
    for _, pattern in ipairs(collectives.row_patterns) do
      for _, P in ipairs{2, 3, 4, 5, 8, 17, 32, 100, 256, 512} do
        if pattern ~= "star" or P * B <= 131072 then
          best_is_best{pattern = pattern, P = P, B = B, machine = machine}
        end
      end
    end
    for _, pattern in ipairs(collectives.grid_patterns) do
      for _, size in ipairs{{5, 3}, {16, 16}, {33, 20}} do
        if pattern ~= "xy-star" or B <= 16 then
          best_is_best{pattern = pattern, width = size[1], height = size[2], B = B,
                       machine = machine}
        end
      end
    end
  end
end
print(collectives.runs .. " reduces")
