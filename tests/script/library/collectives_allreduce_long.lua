-- X-Y AllReduce in full: every pattern, machine and type over many sizes and roots leaves the right
-- vector in every PE; on the profile `model` near Eq. 1 for all sizes of vectors.
local collectives = require "support.collectives"
local crossed = require "support.crossed"

-- The operation and the code go round.
local turn = 0
local function check(options)
  turn = turn + 1
  options.op = collectives.operations[turn % 3 + 1]
  options.code = turn % 5 < 2 and "measured" or "best"
  crossed.check(options)
end

local function check_grid(machine, type_name, pattern, width, height)
  local function options(B, root)
    return {pattern = pattern, width = width, height = height, B = B, type = type_name,
            machine = machine, root = root}
  end
  for _, B in ipairs{1, 2, 16, 64, 300} do
    if pattern ~= "xy-star" or B <= 16 then check(options(B, "first")) end
  end
  for _, root in ipairs{"middle", "last", width // 3 .. "," .. height * 2 // 3,
                        width - 1 .. ",0"} do
    check(options(1, root))
    check(options(5, root))
  end
end

for _, machine in ipairs(collectives.profiles) do
  for _, type_name in ipairs(collectives.types) do
    for _, pattern in ipairs(crossed.patterns) do
      for _, size in ipairs{{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 2}, {2, 9}, {5, 3}, {8, 8},
                            {16, 16}, {33, 20}, {20, 41}} do
        check_grid(machine, type_name, pattern, size[1], size[2])
      end
    end
  end
end

-- Every small grid with every root.
for width = 1, 4 do
  for height = 1, 4 do
    for root = 0, width * height - 1 do
      for k, pattern in ipairs(crossed.patterns) do
        check{pattern = pattern, width = width, height = height, B = 2,
              root = root % width .. "," .. root // width,
              machine = collectives.profiles[(root + k) % 3 + 1]}
      end
    end
  end
end

for _, pattern in ipairs(crossed.patterns) do
  for _, size in ipairs(crossed.sizes) do
    for _, B in ipairs{1, 2, 7, 16, 64, 256} do
      if pattern ~= "xy-star" or B <= 16 then
        crossed.near_equation(pattern, size[1], size[2], B)
      end
    end
  end
end
print(collectives.runs .. " collectives")
