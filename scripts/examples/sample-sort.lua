-- Numbers of a row of P PEs in order, by regular sampling: each PE sorts its B numbers and shows P of them to all; of all
-- P * P every P-th one is where a PE's range ends. An all-to-all brings numbers to their PE, which sorts what it
-- gets; an exclusive scan says how many come before.
local wse = require "wse"
local P, B = wse.argument("P", 8, 2, 16), wse.argument("B", 32, 2, 64)
if B % (2 * P) > 0 then error(("B = %d: a multiple of %d is wanted, twice the PEs"):format(B, 2 * P), 0) end

local w = wse.layout(P, 1):use(require "collectives.calls")
w:const("P", P)
w:const("B", B)
w:const("LAST", 0x7fffffff)                      -- behind all numbers
w:allgather{name = "share", length = P, type = "i32"}
w:alltoall{name = "swap_counts", length = 1, type = "i32"}
w:alltoall{name = "swap", length = B, type = "i32"}
w:scan{name = "count_before", type = "i32", exclusive = true}
w:program[[
.macro sort(v, n, lower, k)              ; odd and even neighbours in turn
    mov32 k, n / 2
  again:
    ;! allow E230
    min32 lower[0:n / 2], v[0:n:2], v[1:n:2]
    max32 v[1:n:2], v[0:n:2], v[1:n:2]
    mov32 v[0:n:2], lower[0:n / 2]
    ;! allow E230
    min32 lower[0:n / 2 - 1], v[1:n - 1:2], v[2:n:2]
    max32 v[2:n:2], v[1:n - 1:2], v[2:n:2]
    mov32 v[1:n - 1:2], lower[0:n / 2 - 1]
    sub32 k, k, 1
    bgt   k, 0, again
.end
.program part
  .i32 v[B] exported
  .i32 samples[P]
  .i32 ends[P, P]
  .i32 blocks[P, B] = LAST
  .i32 flat[] = view(blocks)
  .i32 counts[P]
  .i32 got[P, B]
  .i32 got_flat[] = view(got)
  .i32 got_counts[P]
  .i32 mine[2 * B] = LAST
  .i32 number[1]                         ; of mine
  .i32 before[1]                         ; of all PEs to the left
  .i32 all_ends[] = view(ends)
  .i32 lower[P * B]
  .reg k, to, value, at, limit, count
  task main:
    sort v, B, lower, k
    mov32 samples, v[0:B:B / P]
    share all_ends, samples
    sort all_ends, P * P, lower, k
    mov32 k, 0
    mov32 to, 0
    mov32 at, 0
  next:                                  ; numbers ascend, so blocks do
    mov32 value, v[k]
  find:
    bge   to, P - 1, put
    mov32 limit, ends[to, P - 1]
    ble   value, limit, put
    add32 to, to, 1
    mul32 at, to, B
    jmp   find
  put:
    mov32 flat[at], value
    add32 at, at, 1
    add32 counts[to], counts[to], 1
    add32 k, k, 1
    blt   k, B, next
    swap_counts got_counts, counts
    swap  got_flat, flat
    mov32 count, 0
    mov32 k, 0
    mov32 at, 0
  take:
    mov32 value, got_counts[k]
    add32 limit, count, value
    assert limit <= 2 * B
    ;! allow E230
    mov32 mine[count :+ value], got_flat[at :+ value]
    mov32 count, limit
    add32 at, at, B
    add32 k, k, 1
    blt   k, P, take
    sort  mine, 2 * B, lower, k
    mov32 number[0], count
    count_before before, number
]]
w:place("part", w:all())

local function number(x, _, i) return (x * 7919 + i * 104729) % 10007 end
local record = w:run{inputs = {v = number}}
local all, largest = {}, 0
for k = 0, P * B - 1 do all[k + 1] = number(k // B, 0, k % B) end
table.sort(all)
for x = 0, P - 1 do
  local count, before = record:symbol(x, 0, "number")[1], record:symbol(x, 0, "before")[1]
  local mine = record:symbol(x, 0, "mine")
  for k = 1, count do assert(mine[k] == all[before + k], "out of order") end
  largest = math.max(largest, count)
  assert(x < P - 1 or before + count == P * B)
end
print(("%d numbers on %d PEs: %d cycles, at most %d of a PE"):format(P * B, P, record.cycles, largest))
