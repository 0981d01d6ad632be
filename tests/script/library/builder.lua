-- Programs made by the builder compute what they should, and look as if written by hand.
local wse = require "wse"
local builder = require "wse.builder"
local golden = require "support.golden"

-- A stream of N words through a FIFO; after it a control wavelet names a control task.
local source = wse.program("source", {tx = "colour"}, function(b)
  local v = b:i32("v", "N", {value = "i + 1"})
  local sending = b:microthread("sending")
  b:task "main"
  b.mov32(b.fabout("tx"), v[{0, "N / 2"}], b.async(sending, {activate = "second"}))
  b:task("second", {high = true})
  b.mov32(b.fabout("tx"), v[{"N / 2", "N"}])
  b.halt()
end)

local buffer = wse.program("buffer", {rx = "colour", tx = "colour"}, function(b)
  local q = b:fifo("q", b:i32("store", {4}))
  local filling, emptying = b:microthread("filling", "emptying")
  b:task "main"
  b.mov32(q, b.fabin("rx", {length = "N"}), b.async(filling))
  b.mov32(b.fabout("tx", {length = "N"}), q, b.async(emptying, {activate = "last"}))
  b:task "last"
  b.mov32(b.fabout("tx", {control = true}), b.control("stop", "nop"))
  b.halt()
end)

local sink = wse.program("sink", {rx = "colour"}, function(b)
  local seen = b:i32("seen", {"N"}, {exported = true})
  local sum, squares = b:i32("sum", {exported = true}), b:i32("squares", {exported = true})
  local ends = b:i32("ends", nil, {exported = true})
  local value, k, total = b:reg("value", "k", "total")
  b:task "main"
  b.mov32(k, 0)
  b:task("take", {on = "rx", args = {value}})
  b.mov32(seen[k], value)
  b.add32(k, k, 1)
  b:task("finish", {control = "stop"})
  b.mov32(total, 0)
  b.add32(total, total, seen)
  b.mov32(sum, total)
  b.mov32(k, 0)
  b.mov32(total, 0)
  local next_one = b:label "next_one"
  b.mov32(value, seen[k])
  b.call "square"
  b.add32(total, total, value)
  b.add32(k, k, 1)
  b.blt(k, "N", next_one)
  b.mov32(squares, total)
  b.mov32(seen[{0, "N", 2}], -1)
  b.add32(ends, seen[0], seen["N - 1"])
  b.print "sum {sum}"
  b["assert"](total, ">=", 0)
  b.halt()
  b:func("square", {args = {value}, result = value, link = "r9"})
  b.mul32(value, value, value)
end)

local head = [[
.const N = 10
.grid 3, 1
.colour in, out
.entry stop
]]
local tail = [[
.place source at (0, 0) with tx = in
.place buffer at (1, 0) with rx = in, tx = out
.place sink at (2, 0) with rx = out
.route in at (0, 0): ramp -> east
.route in at (1, 0): west -> ramp
.route out at (1, 0): ramp -> east
.route out at (2, 0): west -> ramp
]]
local text = head .. source .. buffer .. sink .. tail
for _, N in ipairs{2, 10, 64} do
  local record = wse.run{text = text, values = {N = N}}
  assert(record:symbol(2, 0, "sum") == N * (N + 1) // 2)
  assert(record:symbol(2, 0, "squares") == N * (N + 1) * (2 * N + 1) // 6)
  local seen = record:array("seen")
  for i = 0, N - 1 do assert(seen:at(2, 0, i) == (i % 2 == 0 and -1 or i + 1)) end
  assert(record:symbol(2, 0, "ends") == N - 1)
end
golden("builder.wsa", source .. buffer .. sink)

-- Every kind of operand and statement, as text.
local texts = wse.program("texts", {n = {"i32", 4}, rx = "colour", tx = "colour?", kind = {"const", 1}}, function(b)
  local a = b:f32("a", {4, "M"}, {bank = 2, exported = true, value = 0.1})
  local v = b:i16("v", 8, {address = 128})
  local k = b:reg("k", {number = 4})
  local walk = b:dsr("walk", {number = 5})
  b:queue("left", {number = 3})
  local odd = b:dsd("odd", v[{1, nil, 2}])
  b:fifo("q", v, {on_leaving_empty = "done"})
  b:u16("halves", {"8 * M / 6"}, {view = v})
  local low = b:f32("low", nil, {view = a(1, 0)})
  local steps = b:table("steps", "done_here", "twice")
  b:routing("turned", "[ramp -> west] [-> east]")
  b:filtering("first", "counter max=0 limit=9")
  b:passive()
  b:seed("x + n")
  b:task("main")
  b.halt()
  b.comment "one line\nand another"
  b.fmovs(k, a(1, "M - 1"))
  b:fmovs(a(":", 0), 1e20)
  b.fmovs(a(2, {0, "M"}), 0 / 0)
  b.mov16(v[{}], odd)
  b.mov16(v[{nil, 4}], b.mem("base", {length = {2, 2}, stride = {8, 2}}))
  b.setd(walk, b.save(b.circular(v, {length = 4, start = 2})))
  b.mov16(v[b.fabin("rx", {on_control = {activate = "done"}})], walk)
  b.mov16(b.indexed(v[{2}], b.fabin("rx")), 7)
  b.mov16(b.fabout("rx", {packed = true, queue = "left"}), v)
  b.mov32(b.fabout("rx", {length = 32767}), b.fabin("rx", {length = "endless", on_control = "terminate"}))
  b.mov32(b.fabout("rx", {control = true}), b.control(31, "ignore(adv)", {data = 5}))
  b.setroute("rx", "turned")
  b.setfilter("rx", "first")
  b.map(v, "twice", v[{0, 8}])
  b.map(v, "twice", v[{0, 8}], "index=r7")
  b.map(v, "add16", v, odd)
  b.use("power", k, "1 + 1", v)
  b:add "jmp done_here\ndone_here:\n  halt"
  b.jmp "done_here"
  b.jmp(steps[k])
  b.call("r9", steps[k])
  b.fmovs(low, 2.5)
  b.mov32(k, "address(twice)")
  b:add ".if kind == 1 && !has(tx)\n mov16 halves[2], 1\n.end"
  b.end_task()
  b:task("done", {number = 25, high = true})
  b:task("redo", {teardown = "rx"})
  b:func("twice", {args = {k}, result = k, link = "r9"})
  b["end"]()
end)
golden("builder_texts.wsa", texts)
assert(wse.run{text = ".const M = 6\n.const base = 0\n.grid 1, 1\n.colour red\n" ..
                      texts .. [[
.macro power(result, base, v)
  mov32 result, base
.end
.route red at (0, 0): ramp -> ramp
.place texts at (0, 0) with rx = red
]]}.ok)

-- The lines come from these lines, and messages name them.
local made, origins = builder.build("lines", {}, function(b)
  b:task "main"
  b.mov32("r1", 0)
  b.divs32("r2", 1, "r1")
end)
assert(#origins == 4 and select(2, made:gsub("\n", "")) == 4)
for k, origin in ipairs(origins) do
  assert(origin[1] == k and origin[2]:match "[^/]*$" == "builder.lua")
  assert(origin[3] == origins[1][3] + k - 1, "line " .. k .. " comes from " .. origin[3])
end
local function program_with(one) return ".grid 1, 1\n" .. one .. ".place lines at (0, 0)\n" end
local _, trap = pcall(wse.run, {text = program_with(made),
                                marked_text = program_with(builder.marked(made, origins))})
assert(trap:find("builder.lua:" .. origins[4][3], 1, true), trap)

-- A colour of a layout is its name; data know how many elements they have.
local red = setmetatable({name = "red"}, {__metatable = "colour",
                                          __tostring = function(colour) return colour.name end})
local objects = wse.program("objects", function(b)
  local v, w = b:f32("v", {2, 3}), b:f32("w", {"B"})
  assert(#v == 6 and not pcall(function() return #w end))
  assert(tostring(v(1, 2)) == "v[1, 2]" and "mem(" .. v .. ")" == "mem(v)")
  b:task("main")
  b:task("take", {on = red, args = {"r1"}})
  b.fmovs(b.fabout(red, {length = #v}), v(":", 0))
  b.block(red)
end)
assert(objects:find("task take on red (r1):", 1, true) and objects:find("block red", 1, true))
assert(objects:find("fabout(red, length=6), v[:, 0]", 1, true))

-- Numbers keep their kind and all their digits.
local numbers = wse.program("numbers", function(b)
  b:task "main"
  for _, number in ipairs{3, -3, 3.0, 0.1, 1e300, -1 / 0, 2 ^ 53 + 0.0, 1 / 3} do
    b.mov32("r1", number)
  end
end)
local found = {}
for operand in numbers:gmatch("r1, ([^\n]+)") do found[#found + 1] = operand end
assert(table.concat(found, " ") ==
       "3 -3 3.0 0.1 1e+300 -inf 9007199254740992.0 0.3333333333333333", table.concat(found, " "))
