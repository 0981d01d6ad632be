-- An all-reduce beside a PE's own work: what both take together, and each alone. The all-reduce is tasks. The work
-- multiplies and adds vectors of `elements`, in turns of a task (work = turns), or as many words of a stream as
-- come from outside on a microthread behind those of the all-reduce (work = stream).
--
--   wsevm run scripts/collectives/overlap.lua P=64 B=16
--   wsevm run scripts/collectives/overlap.lua P=512 B=4 work=stream
local calls = require "collectives.calls"
local wse = require "wse"
local P, B = wse.argument("P", 64, 2, 512), wse.argument("B", 16, 1, 512)
local elements = wse.argument("elements", 16, 1, 512)
local kind, pattern = wse.argument("work", "turns"), wse.argument("pattern", "auto")
wse.no_more_arguments()

-- The work of a turn is a vector of memory, or of a stream, which microthread 7 takes when no other one wants to.
local kTurns <const> = {
  turns = "fmacs b[1:N + 1], b[1:N + 1], a, 0.5\n    activate work",
  stream = "fmacs b[1:N + 1], b[1:N + 1], fabin(words, length=N), 0.5 async working activate work",
}
if not kTurns[kind] then error(("work = %s: turns or stream is wanted"):format(kind), 0) end
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
  .reg left, ended
  .microthread working = 7
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
    ]] .. (turns == 0 and "" or kTurns[kind]) .. [[

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

-- The most issue slots that a PE needs for both: one for each element of a vector and each scalar instruction (all
-- instructions but one vector of each turn), so that on one issue slot both take as many cycles at least.
local function slots(work, sums, turns)
  local most = 0
  for x = 0, P - 1 do
    local count = 0
    for _, of in ipairs{work, sums} do count = count + of.elements:at(x, 0) + of.instructions:at(x, 0) end
    most = math.max(most, count - turns)
  end
  return most
end

local alone, sums = cycles(0, true)
local rows = {}
for _, share in ipairs{0.25, 0.5, 1, 2, 4, 8} do
  local turn = (cycles(40, false) - cycles(20, false)) / 20
  local turns = math.max(1, math.floor(share * alone / turn))
  local work, of_work = cycles(turns, false)
  local both = cycles(turns, true)
  rows[#rows + 1] = {turns = turns, work = work, allreduce = alone, both = both, slots = slots(of_work, sums, turns),
                     ["both / slower"] = ("%.2f"):format(both / math.max(work, alone))}
end
print(("all-reduce of %d f32 over %d PEs on %s, beside %s of %d elements"):format(B, P, wse.machine().name,
  kind == "turns" and "turns" or "streams in turns", elements))
print(wse.table(rows, {"turns", "work", "allreduce", "slots", "both", "both / slower"}))
