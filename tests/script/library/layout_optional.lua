-- Optional colours of programs: left out for a region, or nil for a PE, in programs that are texts
-- and in those written by calls. However a row is said, it is the same program.
local wse = require "wse"

local kText = [[
.program node(rx: colour?, tx : colour ?, first: const = x == 0)
  .i32 sum = x + 1
  .reg got
  task main:
  .if has(rx)
    mov32 got, fabin(rx)
    add32 sum, sum, got
  .end
  .if has(tx)
    mov32 fabout(tx), sum
  .end
]]

local function by_text(w) return (w:program(kText)) end

local function by_calls(w)
  return w:build("node", {rx = "colour?", tx = "colour?", first = {"const", "x == 0"}}, function(b)
    local sum, got = b:i32("sum", {value = "x + 1"}), b:reg "got"
    b:task "main"
    b:add ".if has(rx)"
    b.mov32(got, b.fabin "rx")
    b.add32(sum, sum, got)
    b:add ".end"
    b:add ".if has(tx)"
    b.mov32(b.fabout "tx", sum)
    b:add ".end"
  end)
end

-- A row of P PEs, in which each adds what comes from its western neighbour. `place` says who gets
-- which colours.
local function row(P, program, place)
  local w = wse.layout(P, 1)
  local hop = w:colours("hop", 2)
  for x = 1, P - 1 do w:path(hop[x % 2 + 1], {x - 1, x}) end
  local function into(x) return x > 0 and hop[x % 2 + 1] or nil end
  local function out_of(x) return x < P - 1 and hop[(x + 1) % 2 + 1] or nil end
  place(w, program(w), into, out_of)
  return w
end

local function by_pe(w, name, into, out_of)
  for x = 0, w.width - 1 do w:place(name, w:pe(x), {rx = into(x), tx = out_of(x)}) end
end

local function by_function(w, name, into, out_of) w:place(name, w:all(), {rx = into, tx = out_of}) end

for _, P in ipairs{1, 2, 5} do
  local texts, cycles = {}, {}
  for _, program in ipairs{by_text, by_calls} do
    for _, place in ipairs{by_pe, by_function} do
      local w = row(P, program, place)
      local record = w:run()
      assert(record:symbol(P - 1, 0, "sum") == P * (P + 1) // 2)
      cycles[record.cycles] = true
      texts[#texts + 1] = w:text()
    end
  end
  assert(next(cycles, (next(cycles))) == nil, "one number of cycles")
  assert(texts[1] == texts[2] and texts[3] == texts[4])
  assert(texts[1]:find(".place node at (0, 0)" .. (P > 1 and " with tx = hop2\n" or "\n"), 1, true))
end

-- A colour that is left out is not known to the PE, so that others may have its number.
local w = wse.layout(60, 1)
w:program(kText)
local hops = w:colours("hop", 59)
for x = 1, 59 do w:path(hops[x], {x - 1, x}) end
w:place("node", w:all(), {rx = function(x) return hops[x] end, tx = function(x) return hops[x + 1] end})
assert(w:run():symbol(59, 0, "sum") == 60 * 61 // 2)
