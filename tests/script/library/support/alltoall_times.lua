-- Published times of data motion on a CM-200, in ms, and how near runs on the profiles come to them.
-- m counts 64-bit elements per node. Tables 4, 5, 7: broadcast; 13: reduction.
local broadcast = require "alltoall.broadcast"
local reduce = require "alltoall.reduce"

local times = {}

-- {m, nodes, d cycles, one cycle (if printed)}
times.table4 = {{64, 16, 6.41, 11.21}, {128, 16, 12.55, 22.13}, {256, 16, 24.82, 43.97},
                {512, 16, 49.43, 87.63}, {1024, 16, 98.49, 175.00}}
times.table5 = {{256, 16, 24.82, 43.97}, {256, 32, 42.51, 90.91}, {256, 64, 74.38, 184.80},
                {256, 128, 131.80, 372.80}, {256, 256, 228.80, 748.80}}
times.table7 = {{128, 16, 12.64}, {128, 32, 21.64}, {128, 64, 37.82}, {128, 128, 69.90},
                {128, 256, 116.50}, {128, 512, 232.40}, {128, 1024, 416.40}, {128, 2048, 738.40}}
times.table13 = {{64, 16, 6.88, 11.29}, {128, 16, 13.48, 22.20}, {256, 16, 26.66, 44.03},
                 {512, 16, 53.04, 87.70}, {1024, 16, 105.70, 175.00}}

local kTolerance = 0.15  -- constants were fitted by the paper to other rows, too

local function dimensions(nodes)
  local d = 0
  while 1 << d < nodes do d = d + 1 end
  return d
end

local function compare(result, published, worst)
  local off = result.milliseconds / published - 1
  assert(math.abs(off) <= kTolerance, string.format(
    "%s of m = %d over %d nodes on %s: %.2f ms, published %.2f", result.algorithm, result.m,
    result.nodes, result.machine, result.milliseconds, published))
  return math.max(worst, math.abs(off))
end

-- A reduction adds words of 32 bits, so two of them stand for an element of 64.
local function reduced(algorithm, m, nodes, machine, steps)
  return reduce.run{algorithm = algorithm, d = dimensions(nodes), m = 2 * m, machine = machine,
                    steps = steps}
end

local function broadcasted(algorithm, m, nodes, machine, steps)
  return broadcast.run{algorithm = algorithm, d = dimensions(nodes), m = m, machine = machine,
                       type = "f64-as-pairs", steps = steps}
end

-- Runs the rows of a table of at most `most` nodes, more than `least`; `columns`: 1 for d cycles alone, 2
-- with one cycle. Beyond 128 nodes the first steps are run and scaled. Returns the largest deviation.
function times.check(rows, least, most, columns)
  local run, worst = rows == times.table13 and reduced or broadcasted, 0
  for _, row in ipairs(rows) do
    local m, nodes, many, one = table.unpack(row)
    if nodes > least and nodes <= most then
      local steps = nodes > 128 and 8 or nil
      local result = run("d-cycles", m, nodes, "cm200", steps)
      assert(result.max_abs_error == 0)
      worst = compare(result, many, worst)
      if one and columns > 1 then
        result = run("one-cycle", m, nodes, "cm200-news", steps)
        assert(result.max_abs_error == 0)
        worst = compare(result, one, worst)
      end
    end
  end
  return worst
end

return times
