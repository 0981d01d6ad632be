-- No collective with code=best takes longer than with code=paper.
local allreduce = require "collectives.allreduce"
local collectives = require "support.collectives"
local machines = require "support.machines"
local own_trees = require "support.own_trees"
local reduction = require "collectives.reduce"

local never_slower = {}

local kLibraries <const> = {reduction.run, allreduce.run}

local function compare(run, options)
  local cycles = {}
  for _, code in ipairs{"best", "paper"} do
    options.code = code
    cycles[code] = collectives.check(run, options).cycles
  end
  collectives.within(options, "best", cycles.best, 1, cycles.paper)
end

-- Fixed rows and grids: visit(options) with pattern, planner, sizes and B.
local function each(visit)
  for _, B in ipairs{1, 16, 256} do
    for _, pattern in ipairs(collectives.row_patterns) do
      for _, P in ipairs{2, 5, 12, 24, 48} do
        for _, root in ipairs{"first", "middle"} do
          visit{pattern = pattern, P = P, B = B, root = root}
          if pattern == "auto-gen" then
            visit{pattern = pattern, P = P, B = B, root = root, planner = "profile"}
          end
        end
      end
    end
    for _, pattern in ipairs(collectives.grid_patterns) do
      for _, size in ipairs{{2, 2}, {5, 3}, {12, 9}} do
        visit{pattern = pattern, width = size[1], height = size[2], B = B}
      end
    end
  end
end

-- The words of all PEs reach the root of a star one by one, so long ones take long to simulate.
local function is_long(pattern, B) return pattern:match "star$" and B > 16 end

-- Runs one in `step` of all fixed pairs on all machines; returns how many.
function never_slower.fixed(step)
  local number, compared = 0, 0
  for _, of in ipairs(machines.all) do
    for _, run in ipairs(kLibraries) do
      each(function(options)
        number = number + 1
        if number % step ~= 0 or is_long(options.pattern, options.B) then return end
        options.machine = of[2]
        compare(run, options)
        compared = compared + 1
      end)
    end
  end
  return compared
end

-- Runs `count` drawn pairs on the profiles: rows of 2 to 200 PEs and grids of up to 15 x 15, 1 to 300
-- words, short ones as often as long ones.
function never_slower.drawn(seed, count)
  local random = own_trees.random(seed)  -- (n): 0 .. n - 1
  local function one_of(list) return list[1 + random(#list)] end
  for _ = 1, count do
    local options = {machine = one_of{"wse2", "wse3"}, B = 1 + random(one_of{8, 64, 300})}
    if random(3) == 0 then
      options.pattern = one_of(collectives.grid_patterns)
      options.width, options.height = 1 + random(15), 2 + random(14)
    else
      options.pattern = one_of(collectives.row_patterns)
      options.P, options.root = 2 + random(one_of{30, 199}), one_of{"first", "middle", "last"}
    end
    if options.pattern:match "auto%-gen$" then options.planner = one_of{"paper", "profile"} end
    if is_long(options.pattern, options.B) then options.B = 16 end
    compare(one_of(kLibraries), options)
  end
  return count
end

return never_slower
