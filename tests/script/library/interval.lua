-- wse.run{interval=}: the cycles at the ends of a machine's intervals, for whom they are, and what a
-- run says that does not halt at one of them.
local wse = require "wse"

local text = [[
.grid 1, 1
.program p
  .i32 v exported
  task main:
    mov32 r1, v
    mark loaded
    add32 r1, r1, 1
    mov32 v, r1
.place p at (0, 0)
]]
local machine = {base = "model", load = 2, simple = 1, divide = 9, intervals = {load = {0, 5}, simple = {1, 3}}}
local calls = 0
local spec = {text = text, machine = machine, interval = true,
              inputs = {v = function() calls = calls + 1 return 6 end}}

local record = wse.run(spec)
assert(record.cycles == 4 and record.cycles_low == 2 and record.cycles_high == 11)
assert(record:array("v")[1] == 7 and record.marks.loaded.first == 2 and record.marks.loaded.count == 1)
assert(calls == 1, "inputs are asked for once")
spec.interval = false
record = wse.run(spec)
assert(record.cycles == 4 and record.cycles_low == nil and record.cycles_high == nil)
spec.interval, spec.jitter = true, {seed = 1, cycles = 3}
record = wse.run(spec)
assert(record.cycles_high - record.cycles == 7 and record.cycles - record.cycles_low == 2)

-- A program reads its arrays anew at each end, and values and seeds are the same.
local sum = wse.run{text = [[
.grid 2, 1
.const N = 3
.program p
  .i32 n exported = N
  .reg left
  task main:
    mov32 left, n
  again:
    sub32 left, left, 1
    bgt   left, 0, again
    mov32 n, left
.place p at (0..1, 0)
]], machine = {base = "model", simple = 1, divide = 9, intervals = {simple = {1, 2}}}, interval = true,
  values = {N = 4}, inputs = {n = {5, 9}}}
assert(sum.cycles == 9 + 1 and sum.cycles_low == 10 and sum.cycles_high == 20)

-- At an end where a time stamp is late the program fails its own assertion.
local late = {text = [[
.grid 1, 1
.program p
  .i32 v
  task main:
    mov32  r1, v
    tsc    r2
    assert r2 < 4
.place p at (0, 0)
]], machine = machine, interval = true}
local fine, message = pcall(wse.run, late)
assert(not fine and message:find("with every constant at the high end of its interval: trap", 1, true))
late.allow_failure = true
record = wse.run(late)
assert(not record.ok and record.status == "halted" and record.cycles == 2 and record.cycles_low == 0)
assert(record.cycles_high == nil and record.message:find("at the high end", 1, true))

-- A run that ends badly is not repeated.
late.max_cycles = 1
record = wse.run(late)
assert(record.status == "cycle_limit" and record.cycles_low == nil and record.cycles_high == nil)

local function refused(interval, message)
  local ran, err = pcall(wse.run, {text = text, interval = interval})
  assert(not ran and err:find(message, 1, true), err)
end
refused(1, "interval: true or false is wanted, not 1")

-- Points of a sweep have them too, in as many processes as it has.
local rows = wse.sweep{over = {load = {2, 3}}, run = function(point)
  local found = wse.run{text = text, interval = true,
                        machine = {base = "model", load = point.load, intervals = {load = {1, 4}}}}
  return {low = found.cycles_low, high = found.cycles_high}
end}
for _, row in ipairs(rows) do assert(row.low == 1 and row.high == 4) end
