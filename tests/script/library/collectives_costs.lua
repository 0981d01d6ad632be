-- What the planner says that a tree takes is what the code that runs takes, on machines whose vector
-- instructions follow each other and on others: with the authors' code to the cycle, with code=best to
-- the cycle but for the latency of one element. And code=best is never slower than code=paper.
local input = require "collectives.lib.input"
local machines = require "support.machines"
local never_slower = require "support.never_slower"
local planner = require "collectives.planner"
local reduction = require "collectives.reduce"
local wse = require "wse"

-- The root samples its clock where it marks the end; other PEs may end later, with a control wavelet.
local function around(text)
  text = text:gsub("  task main:\n", "  .i32 finish exported\n  .reg finishing\n  task main:\n", 1)
  return ((text .. "\n"):gsub("    mark end\n",
                              "    tsc finishing\n    mov32 finish, finishing\n    mark end\n"))
end

local function run_of(options)
  local layout, request = reduction.instrumented(options, around)
  local numbers = input.make(options.P, 1, 1, request.element)
  local record = layout:run{machine = options.machine, inputs = {x = numbers.given(options.B)}}
  return record:symbol(0, 0, "finish") - record.marks.begin.first
end

local kSizes <const> = {{2, 1}, {3, 2}, {5, 3}, {8, 4}, {16, 1}, {24, 1}, {40, 64}, {100, 16}}

-- Plans of the machine: no message of theirs waits for a switch.
local checked = 0
for _, of in ipairs(machines.all) do
  local name, machine = of[1], of[2]
  local late = math.max(0, wse.machine(machine).vector_latency_cycles - 1)
  for _, code in ipairs{"best", "paper", "measured"} do
    for _, size in ipairs(kSizes) do
      local P, B = size[1], size[2]
      local plan = planner.plan(P, B, {planner = "profile", machine = machine, code = code})
      local options = {pattern = "auto-gen", planner = "profile", P = P, B = B, machine = machine,
                       code = code}
      local cycles = run_of(options)
      local text = ("%s on %s, P = %d, B = %d: %d cycles, planned %d"):format(code, name, P, B,
                                                                             cycles, plan.cost)
      assert(cycles <= plan.cost and cycles >= plan.cost - (code == "best" and late or 0), text)
      checked = checked + 1
    end
  end
end
assert(checked == #machines.all * 3 * #kSizes)

-- Without options both speak of the code that a reduction runs without options.
for _, size in ipairs{{8, 4}, {64, 16}} do
  local P, B = size[1], size[2]
  for _, machine in ipairs{"wse2", "wse3"} do
    local given = planner.plan(P, B, {planner = "profile", machine = machine}).cost
    assert(given == planner.plan(P, B, {planner = "profile", machine = machine, code = "best"}).cost)
    assert(given ~= planner.plan(P, B, {planner = "profile", machine = machine, code = "measured"}).cost)
    assert(require("collectives.reduce").run{pattern = "chain", P = P, B = B, machine = machine}.code == "best")
  end
end

-- The gap of the measured code: three fetches, and what does not lie in the drain.
assert(planner.costs{machine = "wse2", code = "measured"}.gap == 39)
assert(planner.costs{machine = "wse3", code = "measured"}.gap == 43)
assert(planner.costs{machine = machines.wse2_before, code = "measured"}.gap == 40)
assert(planner.costs{machine = machines.wse3_before, code = "measured"}.gap == 40)

-- code=best: a sample; collectives_costs_long.lua has all.
print(never_slower.fixed(29) + never_slower.drawn(1, 12) .. " pairs")
