-- An all-reduce beside a PE's own work: what both take together, and each alone. The all-reduce is tasks, and
-- the work turns of a task that multiplies and adds vectors of `elements`.
--
--   wsevm run scripts/collectives/overlap.lua P=64 B=16
local calls = require "collectives.calls"
local wse = require "wse"
local P, B = wse.argument("P", 64, 2, 512), wse.argument("B", 16, 1, 512)
local elements = wse.argument("elements", 16, 1, 512)
wse.no_more_arguments()

-- `turns` of work, 0 for none; `sums`: whether there is an all-reduce.
local function cycles(turns, sums)
  local w = wse.layout(P, 1):use(calls)
  w:const("B", B)
  w:const("N", elements)
  w:const("TURNS", turns)
  w:const("SUMS", sums and 1 or 0)
  w:allreduce{name = "total", data = "v", length = B, after = "summed"}
  w:program[[
.program both
  .f32 v[B] = x + i
  .f32 a[N] = i
  .f32 b[N + 1]                          ; from its second element on: another bank than that of a
  .reg left, ended
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
    fmacs b[1:N + 1], b[1:N + 1], a, 0.5
    activate work
    end
  worked:
    add32 ended, ended, 1
    beq   ended, 2, over
    end
  over:
    mark over
    halt
]]
  w:place("both", w:all())
  return w:run().marks.over.last
end

local alone, rows = cycles(0, true), {}
for _, share in ipairs{0.25, 0.5, 1, 2, 4, 8} do
  local turn = (cycles(40, false) - cycles(20, false)) / 20
  local turns = math.max(1, math.floor(share * alone / turn))
  local work, both = cycles(turns, false), cycles(turns, true)
  rows[#rows + 1] = {turns = turns, work = work, allreduce = alone, both = both,
                     ["both / slower"] = ("%.2f"):format(both / math.max(work, alone))}
end
print(("all-reduce of %d f32 over %d PEs on %s, beside turns of %d elements"):format(B, P, wse.machine().name,
                                                                                     elements))
print(wse.table(rows, {"turns", "work", "allreduce", "both", "both / slower"}))
