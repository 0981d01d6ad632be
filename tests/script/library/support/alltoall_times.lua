-- Published times of data motion on a CM-200, in ms, and how near runs on the profiles come to
-- them. m counts 64-bit elements per node. Tables 4, 5, 7: broadcast; 13, 15: reduction, of 15
-- what Table 14 prints or what is left without arithmetic and indices.
local broadcast = require "alltoall.broadcast"
local published = require "alltoall.study.published"
local reduce = require "alltoall.reduce"

local times = {}

-- Columns of the motion over d cycles and over one cycle.
local columns_of = {table4 = {5, 6}, table5 = {5, 6}, table7 = {3}, table13 = {4, 5},
                    table15 = {4, 5}}

local kTolerance = 0.10  -- constants were fitted by the paper to other rows, too

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

-- Runs the rows of a table of more than `least` and at most `most` nodes, from 16 nodes and 64
-- elements on. Beyond 128 nodes the first steps are run and scaled. Returns the largest deviation.
function times.check(name, least, most)
  local is_reduction = name == "table13" or name == "table15"
  local run, worst = is_reduction and reduced or broadcasted, 0
  local machines = {{"d-cycles", "cm200"}, {"one-cycle", "cm200-news"}}
  for _, row in ipairs(published[name]) do
    local m, nodes = row[1], row[2]
    if nodes > least and nodes <= most and nodes >= 16 and m >= 64 then
      for k, column in ipairs(columns_of[name]) do
        local result = run(machines[k][1], m, nodes, machines[k][2], nodes > 128 and 8 or nil)
        assert(result.max_abs_error == 0)
        worst = compare(result, row[column], worst)
      end
    end
  end
  return worst
end

return times
