-- What the two tests of the studies share: the order of the patterns on a machine without costs,
-- and committed rows that are run again.
local points = require "collectives.study.points"
local findings = require "collectives.study.findings"
local wse = require "wse"

local studies = {}

local rank = {star = 1, tree = 2, ["two-phase"] = 3, chain = 4}

-- On 512 PEs of the profile `model`: the best fixed pattern is the star at most for one word, then
-- tree, two-phase and chain in this order; Auto-Gen by the paper is within 9 % of the best and
-- ahead of all at 64, 256, 512 and 1024; the ring is never the fastest allreduce.
function studies.check_order(values)
  local function panel(collective)
    return {name = "", title = "", collective = collective, over = "B", values = values, size = 512}
  end
  local reduce, allreduce = panel("reduce"), panel("allreduce")
  local rows = points.rows({reduce, allreduce}, {machine = "model", label = "model", code = "best"})
  local found = points.of_panel(reduce, rows, "best")
  local before = 0
  for k, one in ipairs(findings.best(reduce, found, "model")) do
    assert(rank[one.fixed] >= before, one.fixed .. " at " .. values[k])
    assert(one.fixed ~= "star" or values[k] == 1, "star at " .. values[k])
    before = rank[one.fixed]
  end
  local against = findings.against_fixed(reduce, found, "auto-gen")
  assert(against.most <= 0.09, "auto-gen is behind by " .. against.most)
  local ahead = {}
  for _, B in ipairs(against.ahead) do ahead[B] = true end
  for _, B in ipairs(values) do
    local must = B == 64 or B == 256 or B == 512 or B == 1024
    assert(ahead[B] or not must, "auto-gen is not ahead at " .. B)
  end
  for _, by_model in ipairs{false, true} do
    local ring = findings.ring(allreduce, points.of_panel(allreduce, rows, "best"), by_model)
    assert(#ring.wins == 0, "the ring is the fastest")
  end
end

-- Runs again the committed rows of some figures for which want(row, k) holds; returns how many.
function studies.check_rows(figures, want)
  local wanted, known = {}, {}
  for _, figure in ipairs(figures) do
    local rows = wse.read_csv("scripts/collectives/pictures/" .. figure .. ".csv")
    for k, row in ipairs(rows) do
      local key = table.concat({row.code, row.collective, row.pattern, row.width, row.height,
                                row.B}, " ")
      if want(row, k) and not known[key] then
        known[key] = true
        wanted[#wanted + 1] = row
      end
    end
  end
  wse.sweep{points = wanted, run = function(row)
    local result = points.run(row, row.machine)
    for name, value in pairs(result) do
      if math.abs(row[name] - value) > 1e-6 * math.abs(value) then
        error(("%s of the committed row is %s, now %s"):format(name, row[name], value), 0)
      end
    end
    return {same = true}
  end}
  return #wanted
end

return studies
