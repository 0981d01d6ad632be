-- Latency: a message by three clocks, and what it does to steps:
--   wsevm run scripts/gemm/latency.lua P=128 steps=32 code=measured
-- P: the longest row of the message; steps: the largest grid. Steps are those of moves alone,
-- multiply=0, free and with a barrier in each, less what the barrier takes alone. They
-- are of the profile model: on others a way of some 50 hops fits beside what a PE does meanwhile.
local algorithms = require "gemm.study.algorithms"
local message = require "gemm.message"
local study = require "support.study"
local wse = require "wse"

local most = study.integer("P", 128, 4, 1024)
local steps, code = study.integer("steps", 32, 4, 64), wse.argument("code", "measured")
local self = study.begin("latency")

local points = {}
for _, P in ipairs(algorithms.doubled(4, most)) do
  points[#points + 1] = {P = P, what = "message", code = code}
end
for _, name in ipairs{"summa", "cannon", "meshgemm"} do
  for _, P in ipairs(algorithms.doubled(4, steps)) do points[#points + 1] = {P = P, what = name, code = code} end
end

local function step_cycles(point, barrier, moves)
  return algorithms.run{algorithm = point.what, P = point.P, barrier = barrier, moves = moves,
                        multiply = 0, code = point.code, machine = "model"}.cycles_per_step
end

local rows = study.rows(self, points, {"what", "P", "code"}, function(point)
  local row = {global = 0.0, own = 0.0, free = 0.0, barrier = 0.0, bound = 0.0}
  if point.what == "message" then
    local result = message.run{P = point.P}
    row.global, row.own = result.global_cycles, result.own_cycles
    return row
  end
  row.free = step_cycles(point, "none", 1)
  row.barrier = step_cycles(point, "step", 0)
  row.bound = step_cycles(point, "step", 1) - row.barrier
  return row
end)

local messages, products = {}, {}
for _, row in ipairs(rows) do
  table.insert(row.what == "message" and messages or products, row)
end
print(wse.table(messages, {"P", {name = "global", title = "global clock"},
                           {name = "own", title = "own clocks"}}))
print(wse.table(products, {{name = "what", title = "algorithm"}, "P",
                           {name = "free", title = "moves per step", format = "%.1f"},
                           {name = "barrier", title = "barrier alone", format = "%.1f"},
                           {name = "bound", title = "moves between barriers", format = "%.1f"}}))
local lines = {}
for number, name in ipairs{"summa", "cannon", "meshgemm"} do
  local function is(row) return row.what == name end
  lines[#lines + 1] = study.line(name .. ", free", number, rows, "P", "free", is)
  local line = study.line(name .. ", between barriers", number, rows, "P", "bound", is)
  line.dashed = true
  lines[#lines + 1] = line
end
study.draw(self, {lines = lines, log = "x", x_label = "P", y_label = "cycles per step",
                  title = "Moves of a step, without multiplication, code=" .. code})
