-- Reduce in full on one profile: every pattern and type over many sizes leaves the exact sum, with
-- no more colours than the patterns may have (a tree has one for each level; Auto-Gen on `model` those
-- of its law).
local collectives = require "support.collectives"
local reduction = require "collectives.reduce"

-- A star moves P B words over every link; sizes above these take long and show nothing new.
local function fits(pattern, P, B) return pattern ~= "star" or P * B <= 131072 end

-- The operation and the code go round, so that each meets each pattern and size with some type.
local turn = 0
local function go_round(options)
  turn = turn + 1
  options.op = collectives.operations[turn % 3 + 1]
  options.code = ({"best", "paper", "best", "measured", "best"})[turn % 5 + 1]
  return options
end

local function check(options, most)
  local result = collectives.check(reduction.run, go_round(options))
  local by_law = options.machine == "model" and options.pattern:match("auto%-gen$")
  if not options.pattern:match("tree$") and not by_law then
    collectives.within(options, "colours", result.colours, 0, most)
  end
end

local function check_row(machine, type_name, pattern, P)
  for _, B in ipairs{1, 2, 7, 64, 1000, 4096} do
    if fits(pattern, P, B) then
      check({pattern = pattern, P = P, B = B, type = type_name, machine = machine}, 3)
    end
  end
  for _, root in ipairs{"middle", "last", tostring(P // 3)} do
    check({pattern = pattern, P = P, B = 7, type = type_name, machine = machine, root = root}, 3)
  end
end

local function check_grid(machine, type_name, pattern, width, height)
  for _, B in ipairs{1, 2, 7, 16, 64, 1000} do
    if pattern ~= "xy-star" or B <= 16 then
      check({pattern = pattern, width = width, height = height, B = B, type = type_name,
             machine = machine}, 5)
    end
  end
  if pattern == "snake" then return end
  for _, root in ipairs{"middle", "last", width // 3 .. "," .. height // 3} do
    check({pattern = pattern, width = width, height = height, B = 3, type = type_name,
           machine = machine, root = root}, 5)
  end
end

return function(machine)
  for _, type_name in ipairs(collectives.types) do
    for _, pattern in ipairs(collectives.row_patterns) do
      for _, P in ipairs{1, 2, 3, 5, 17, 100, 511, 512} do
        check_row(machine, type_name, pattern, P)
      end
    end
    for _, pattern in ipairs(collectives.grid_patterns) do
      for _, size in ipairs{{1, 1}, {1, 7}, {7, 1}, {5, 3}, {16, 16}, {33, 20}} do
        check_grid(machine, type_name, pattern, size[1], size[2])
      end
    end
  end
  print(collectives.runs .. " reduces")
end
