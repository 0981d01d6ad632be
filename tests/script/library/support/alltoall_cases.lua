-- What the tests of the all-to-alls run for cubes of some sizes: small cubes in every test run, the
-- largest in the long ones.
local alltoall = require "support.alltoall"
local broadcast = require "alltoall.broadcast"
local personalised = require "alltoall.personalised"
local reduce = require "alltoall.reduce"

local cases = {}

local types = {"f32", "i32", "f64-as-pairs"}
local words = {f32 = 1, i32 = 1, ["f64-as-pairs"] = 2}
local operations = {"add", "max", "min"}

-- Calls `check` with each size, order and type for cubes of d dimensions.
local function each_size(d, check)
  for turn, m in ipairs(alltoall.sizes(d)) do
    for which, order in ipairs(alltoall.orders) do
      check({d = d, m = m, order = order, type = types[(d + turn + which) % 3 + 1], seed = turn},
            turn, which)
    end
  end
end

-- Broadcasts over cycles and through binomial trees.
function cases.broadcasts_over_cycles(d)
  for _, algorithm in ipairs{"one-cycle", "d-cycles", "binomial"} do
    each_size(d, function(options)
      options.algorithm = algorithm
      local result = alltoall.check(broadcast.run, options)
      local size = options.m * words[options.type]
      alltoall.expect_transfers(result, size)
      assert(result.steps == (1 << d) - 1 and result.hops == result.steps * size << d)
    end)
  end
end

-- On a cube of one dimension there is one tree, of height 1, and nothing crosses its link while
-- node 0 has its own block: fewer transfers than those of Table 2.
local on_one_link = {
  ["node-at-a-time"] = function(size) return 2 * ((size + 1) // 2) end,
  ["send-and-spread"] = function(size) return (size + 1) // 2 + size end,
}

-- Broadcasts through trees of disjoint links.
function cases.broadcasts_through_trees(d)
  for _, algorithm in ipairs{"node-at-a-time", "send-and-spread"} do
    each_size(d, function(options)
      options.algorithm = algorithm
      local result = alltoall.check(broadcast.run, options)
      local size = options.m * words[options.type]
      if d > 1 then
        alltoall.expect_transfers(result, size)
      else
        assert(result.transfers == on_one_link[algorithm](size))
      end
    end)
  end
end

-- Broadcasts and reductions of a cube whose nodes lie on a mesh, on all machines in turn.
function cases.on_mesh(d)
  local machines = {"wse2", "model", "wse3"}
  for turn, m in ipairs{1, d, 2 * d + 1, 17 - d} do
    for which, order in ipairs(alltoall.orders) do
      for number, algorithm in ipairs{"one-cycle", "d-cycles", "binomial", "row-column"} do
        local pairs_of_words = (d + turn + number) % 3 == 0 and m < 5
        local result = alltoall.check(broadcast.run, {
          algorithm = algorithm, d = d, m = m, order = order, topology = "mesh",
          type = pairs_of_words and "f64-as-pairs" or number % 2 == 0 and "i32" or "f32",
          machine = machines[(turn + which) % 3 + 1]})
        assert(result.colours <= 9)
      end
      for number, algorithm in ipairs{"one-cycle", "d-cycles", "reduce-and-spread"} do
        alltoall.check(reduce.run, {
          algorithm = algorithm, d = d, m = m, order = order, topology = "mesh",
          op = operations[(d + turn + number) % 3 + 1], machine = machines[(turn + number) % 3 + 1]})
      end
    end
  end
end

-- Reductions, every operation on small cubes, and after part of their steps.
function cases.reductions(d)
  for _, algorithm in ipairs{"one-cycle", "d-cycles", "reduce-and-spread"} do
    each_size(d, function(options, turn, which)
      options.algorithm = algorithm
      options.type = (d + turn + which) % 2 == 0 and "f32" or "i32"
      for turned = 0, d <= 4 and 2 or 0 do
        options.op = operations[(turn + which + turned) % 3 + 1]
        alltoall.expect_transfers(alltoall.check(reduce.run, options), options.m)
      end
      if turn % 3 == 1 then
        options.steps = math.min(turn % 4, d)
        alltoall.check(reduce.run, options)
      end
    end)
  end
end

-- Transposes: half of the node's words cross each dimension, M / 4 transfers where d divides m.
function cases.transposes(d)
  each_size(d, function(options)
    local result = alltoall.check(personalised.run, options)
    local size = options.m * words[options.type]
    assert(result.steps == d and result.hops == d * size << 2 * d - 1)
    if options.m % d == 0 and d > 1 then assert(result.transfers == size << d - 2) end
  end)
end

-- Gathers and scatters through trees take as many slots as there are pairs of words for a link of
-- node 0.
function cases.gathers_and_scatters(d)
  for _, algorithm in ipairs{"gather", "scatter"} do
    each_size(d, function(options)
      options.algorithm = algorithm
      local result = alltoall.check(personalised.run, options)
      local size = options.m * words[options.type]
      assert(result.steps == ((size << d) + 2 * d - 1) // (2 * d))
      local idle = result.steps - result.transfers  -- slots with the own block of node 0 alone
      assert(d == 1 or idle == 0 or algorithm == "scatter" and idle < d)
    end)
  end
end

-- On a cube without overhead d cycles are nearly d times as fast as one. Links pass a word every d
-- cycles there: a ramp passes one per cycle, for all d channels of a node.
function cases.speedup(d)
  local function cycles(algorithm, interval)
    local result = broadcast.run{
      algorithm = algorithm, d = d, m = 64 * d, type = "i32",
      steps = d > 6 and 4 or nil,  -- all take the same time
      machine = {base = "model", memory_bytes = 1 << 22, link_interval = interval}}
    assert(result.max_abs_error == 0)
    return result.cycles
  end
  local gain = cycles("one-cycle", d) / cycles("d-cycles", d)
  assert(gain >= 0.8 * d and gain <= d, string.format("d = %d: %.2f", d, gain))
  if d > 2 then  -- with quick links the ramps set the pace
    assert(cycles("one-cycle", 1) / cycles("d-cycles", 1) < 1.1)
  end
  print(string.format("d = %d: d cycles are %.2f times as fast as one", d, gain))
end

return cases
