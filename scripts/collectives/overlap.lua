-- An all-reduce beside a PE's own work: what both take together, and each alone. The all-reduce is tasks. The work
-- multiplies and adds vectors of `elements` in turns of a task:
--   work = turns    vectors of memory, on the main thread, which goes before the all-reduce
--   work = fifo     the same vectors through a FIFO, on microthreads behind those of the all-reduce
--   work = stream   words of a stream from outside, on a microthread behind those of the all-reduce
--
--   wsevm run scripts/collectives/overlap.lua P=64 B=16
--   wsevm run scripts/collectives/overlap.lua P=512 B=4 elements=64 pattern=two-phase work=fifo
local calls = require "collectives.calls"
local wse = require "wse"
local P, B = wse.argument("P", 64, 2, 512), wse.argument("B", 16, 1, 512)
local elements = wse.argument("elements", 16, 1, 512)
local kind, pattern = wse.argument("work", "turns"), wse.argument("pattern", "auto")
wse.no_more_arguments()

-- The code of a turn, and its vector instructions. Microthreads 6 and 7 go on when none of the all-reduce wants to.
local kTurns <const> = {
  turns = {"fmacs b[1:N + 1], b[1:N + 1], a, 0.5\n    activate work", vectors = 1},
  fifo = {"mov32 q, a async feeding\n    fmacs b[1:N + 1], b[1:N + 1], q, 0.5 async working activate work", vectors = 2},
  stream = {"fmacs b[1:N + 1], b[1:N + 1], fabin(words, length=N), 0.5 async working activate work", vectors = 1},
}
if not kTurns[kind] then error(("work = %s: turns, fifo or stream is wanted"):format(kind), 0) end
local kPatterns <const> = {auto = true, star = true, chain = true, tree = true, ["two-phase"] = true, ["auto-gen"] = true}
if not kPatterns[pattern] then error(("pattern = %s: there is no such one"):format(pattern), 0) end

-- Adds the words of `turns` turns, which come to every PE from the north.
local function add_stream(w, turns)
  local words = w:colour("words")
  w:stream("given", ("f32[%d]"):format(turns * elements), w:all(), "north -> " .. words)
  w:route(words, w:all(), "north -> ramp")
end

-- `turns` of work, 0 for none; `sums`: whether there is an all-reduce.
local function cycles(turns, sums)
  local w = wse.layout(P, 1):use(calls)
  w:const("B", B)
  w:const("N", elements)
  w:const("TURNS", turns)
  w:const("SUMS", sums and 1 or 0)
  w:allreduce{name = "total", data = "v", length = B, after = "summed", pattern = pattern}
  local streams = kind == "stream" and turns > 0
  if streams then add_stream(w, turns) end
  w:program([[
.program both
  .f32 v[B] = x + i
  .f32 a[N] = i
  .f32 b[N + 1]                          ; from its second element on: another bank than that of a
  .f32 store[8]
  .fifo q = store
  .reg left, ended
  .microthread feeding = 6, working = 7
  task main:
    mov32 left, TURNS
    .if SUMS
    activate total
    .else
    activate summed
    .end
    activate work
  task summed:
    add32 ended, ended, 1
    beq   ended, 2, over
    end
  task work:
    beq   left, 0, worked
    sub32 left, left, 1
    ]] .. (turns == 0 and "" or kTurns[kind][1]) .. [[

    end
  worked:
    add32 ended, ended, 1
    beq   ended, 2, over
    end
  over:
    mark over
    halt
]])
  w:place("both", w:all())
  local inputs = streams and {given = function() return 1 end} or nil
  local record = w:run{inputs = inputs, profile = true}
  return record.marks.over.last, record:profile()
end

-- Returns the issue slots that the busiest PE needs for both, at least: one for each element of a vector and each scalar
-- instruction. On one issue slot both take as many cycles or more. `neither`: a run without both, counted in `work` and `sums`.
local function slots(work, sums, neither, turns)
  local most = 0
  for x = 0, P - 1 do
    local count = -neither.instructions:at(x, 0) - turns * kTurns[kind].vectors - sums.elements:at(x, 0) / B
    for _, of in ipairs{work, sums} do count = count + of.elements:at(x, 0) + of.instructions:at(x, 0) end
    most = math.max(most, count)
  end
  return math.floor(most)
end

local has_one_slot <const> = wse.machine().issue == 0
local alone, sums = cycles(0, true)
local _, neither = cycles(0, false)
local rows = {}
for _, share in ipairs{0.25, 0.5, 1, 2, 4, 8} do
  local turn = (cycles(40, false) - cycles(20, false)) / 20
  local turns = math.max(1, math.floor(share * alone / turn))
  local work, of_work = cycles(turns, false)
  local both = cycles(turns, true)
  local slower, of_both = math.max(work, alone), has_one_slot and slots(of_work, sums, neither, turns) or nil
  local bound = math.max(slower, of_both or 0)
  rows[#rows + 1] = {turns = turns, work = work, allreduce = alone, both = both, slots = of_both or "-",
                     ["both / slower"] = ("%.2f"):format(both / slower), ["both / bound"] = ("%.2f"):format(both / bound)}
end
local kTitles <const> = {turns = "turns", fifo = "turns through a FIFO", stream = "streams in turns"}
print(("all-reduce of %d f32 over %d PEs on %s, beside %s of %d elements"):format(B, P, wse.machine().name, kTitles[kind],
  elements))
print(wse.table(rows, {"turns", "work", "allreduce", "slots", "both", "both / slower", "both / bound"}))
