-- All-to-alls of vectors whose length is no multiple of the nodes, and cyclic ones, for cubes of some size: small
-- cubes in every test run, larger ones in the long ones.
local alltoall = require "support.alltoall"
local blocks = require "alltoall.lib.blocks"
local broadcast = require "alltoall.broadcast"
local indices = require "alltoall.lib.indices"
local personalised = require "alltoall.personalised"
local reduce = require "alltoall.reduce"

local types, operations = {"f32", "i32", "f64-as-pairs"}, {"add", "max", "min"}
local words = {f32 = 1, i32 = 1, ["f64-as-pairs"] = 2}

-- The words of all links of a d-cycles broadcast, and its transfers: those of the fullest link in each step.
local function expected(options)
  local nodes, d, S = 1 << options.d, options.d, words[options.type]
  local of = blocks.of{m = (options.M + nodes - 1) // nodes, M = options.M, nodes = nodes,
                       allocation = options.allocation or "consecutive"}
  local hops, transfers = 0, 0
  for j = 1, nodes - 1 do
    local fullest = 0
    for node = 0, nodes - 1 do
      for i = 0, d - 1 do
        local n = of.size(indices.d_cycles(node, j, i, d, options.order))
        local share = math.max(0, (n - i + d - 1) // d) * S
        hops, fullest = hops + share, math.max(fullest, share)
      end
    end
    transfers = transfers + (fullest + 1) // 2
  end
  return hops, transfers
end

local function sizes(d)
  local nodes = 1 << d
  return {1, nodes - 1, nodes + 1, 2 * nodes - 1, 3 * nodes + d, d * nodes + nodes // 2 + 1, 5 * nodes}
end

-- All algorithms on 2^d nodes.
return function(d)
  for turn, M in ipairs(sizes(d)) do
    for which, order in ipairs(alltoall.orders) do
      for number, allocation in ipairs(blocks.allocations) do
        local kind = types[(d + turn + which) % 3 + 1]
        local function options(algorithm, type)
          return {algorithm = algorithm, d = d, M = M, order = order, allocation = allocation, seed = turn,
                  type = type or kind, op = nil}
        end
        for _, algorithm in ipairs{"one-cycle", "d-cycles", "binomial"} do
          local given = options(algorithm)
          local result = alltoall.check(broadcast.run, given)
          if algorithm == "d-cycles" then
            local hops, transfers = expected(given)
            assert(result.hops == hops and result.transfers == transfers, ("M = %d, d = %d"):format(M, d))
          end
          if turn % 2 == number % 2 then  -- an index moves with each element
            given = options(algorithm)
            given.index = "move"
            local moved = alltoall.check(broadcast.run, given)
            assert(moved.hops * words[kind] == result.hops * (words[kind] + 1))
          end
        end
        for _, algorithm in ipairs{"one-cycle", "d-cycles", "reduce-and-spread"} do
          local given = options(algorithm, kind == "i32" and "i32" or "f32")
          given.op = operations[(turn + which + number) % 3 + 1]
          alltoall.check(reduce.run, given)
          if algorithm == "d-cycles" and turn % 2 == number % 2 then
            given.index = "move"
            alltoall.check(reduce.run, given)
            given.index = nil
          end
          if turn % 3 == 0 then
            given.steps = math.min(d, 2)
            alltoall.check(reduce.run, given)
          end
        end
      end
      for _, algorithm in ipairs{"node-at-a-time", "through-root", "send-and-spread"} do
        alltoall.check(broadcast.run, {algorithm = algorithm, d = d, M = M, order = order, type = "i32"})
      end
      for _, algorithm in ipairs{"gather", "scatter"} do
        alltoall.check(personalised.run, {algorithm = algorithm, d = d, M = M, order = order})
      end
    end
  end
end
