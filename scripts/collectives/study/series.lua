-- The series that the studies compare: the patterns, and Auto-Gen twice, by the paper's model and by the costs
-- of the machine. Must never know how a collective is built.
local model = require "collectives.model"

local series = {}

-- `number` is the look in all pictures (wse.plot).
local list = {
  {name = "star", number = 1}, {name = "chain", number = 2}, {name = "tree", number = 3},
  {name = "two-phase", number = 4}, {name = "auto-gen", number = 5},
  {name = "auto-gen-profile", number = 6}, {name = "ring", number = 7},
  {name = "snake", number = 7}, {name = "broadcast", number = 2},
}
local by_name = {}
for _, one in ipairs(list) do by_name[one.name] = one end

series.fixed = {"star", "chain", "tree", "two-phase"}
series.reduces = {"star", "chain", "tree", "two-phase", "auto-gen", "auto-gen-profile"}

-- The patterns of a collective on a row or a grid.
function series.of(collective, grid)
  if collective == "broadcast" then return {"broadcast"} end
  local names = {table.unpack(series.reduces)}
  if grid then
    names[#names + 1] = "snake"
  elseif collective == "allreduce" then
    names[#names + 1] = "ring"
  end
  return names
end

function series.number(name) return by_name[name].number end

-- The options `pattern` and `planner` of a collective. The ring is the one whose cycles are those
-- of Lemma 6.1 on a machine without costs; its rounds do not overlap.
function series.options(name, grid)
  if name == "ring" then return "ring-wrap", nil end
  local pattern, planner = name, nil
  if name == "auto-gen" then planner = "paper" end
  if name == "auto-gen-profile" then pattern, planner = "auto-gen", "profile" end
  if grid and name ~= "snake" then pattern = "xy-" .. pattern end
  return pattern, planner
end

-- Whether a run of it ends soon: the star's root receives all vectors one after the other.
function series.is_run(name, point)
  if name ~= "star" then return true end
  if point.height > 1 then return point.B <= 16 end
  return point.width * point.B <= 131072
end

-- The model's cycles; nil where it has no curve of its own.
function series.model(name, collective, point, machine)
  local width, height, B, options = point.width, point.height, point.B, {machine = machine}
  if name == "auto-gen-profile" then return nil end
  if collective == "broadcast" then return model.row.broadcast(width, B, options).cycles end
  if height == 1 then return model[collective](name, width, B, options).cycles end
  local pattern = series.options(name, true)
  return model[collective .. "_2d"](pattern, width, height, B, options).cycles
end

return series
