-- No collective with code=best takes longer than with code=paper.
local allreduce = require "collectives.allreduce"
local collectives = require "support.collectives"
local machines = require "support.machines"
local reduction = require "collectives.reduce"

local function compare(run, options)
  local cycles = {}
  for _, code in ipairs{"best", "paper"} do
    options.code = code
    cycles[code] = collectives.check(run, options).cycles
  end
  collectives.within(options, "best", cycles.best, 1, cycles.paper)
end

-- All rows and grids: visit(options) with pattern, planner, sizes and B.
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

-- Runs one in `step` of all pairs on all machines; returns how many.
return function(step)
  local number, compared = 0, 0
  for _, of in ipairs(machines.all) do
    for _, run in ipairs{reduction.run, allreduce.run} do
      each(function(options)
        number = number + 1
        local long = options.pattern:match "star$" and options.B > 16  -- words of all PEs, one by one
        if number % step ~= 0 or long then return end
        options.machine = of[2]
        compare(run, options)
        compared = compared + 1
      end)
    end
  end
  return compared
end
