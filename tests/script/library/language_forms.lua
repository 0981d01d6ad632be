-- Every word of asm/GRAMMAR.md can be said by calls: of a layout, or of the builder of a program.
-- A form that no call writes is listed with the reason, and reaches the assembler as text.
local wse = require "wse"

-- The terminals of the grammar of statements. Expressions, below them, are texts for the calls.
local function terminals(page)
  local found = {}
  local rules = page:match "```ebnf\n(.-)\nexpr "
  for line in rules:gsub("%(%*.-%*%)", ""):gmatch "[^\n]+" do
    for text in line:gmatch '"([^"]+)"' do found[text] = true end
  end
  return found
end

-- Words that are options of operands, with those of the table that the assembler reads.
local function operand_options(text)
  local found = {}
  for option in text:gmatch '\nOPTION%(%w+, "([%w_]+)"' do found[option] = true end
  return found
end

local reasons = {
  [".if"] = "the `if` of Lua decides which lines are written",
  [".else"] = "as .if",
  ["if"] = "as .if",
  [".for"] = "the `for` of Lua writes the lines of each turn",
  [".end"] = "blocks and macros alone have one",
  [".macro"] = "a function of Lua writes its lines; b.use names one that w:add brought",
  [".library"] = "w:add takes functions for several programs as text",
  [".include"] = "w:program{file = ...}; w:add takes the statement",
  [".line"] = "the library writes it, so that errors name the line of the script",
  [".lines"] = "as .line",
}

local w = wse.layout(2, 1)
local red, blue = w:colour("red", {number = 3}), w:colour("blue")
local pulse, turned = w:colour("pulse"), w:colour("turned")
w:const("B", 4)
w:param("alpha", "f32", 0.5)
w:add ".entry stop"                            -- a layout has nothing to know of it
w:stream("words", "i32[B]", w:pe(0), "west -> " .. pulse)
w:build("all", {n = {"i32", 2}, rx = "colour", tx = "colour?", edge = "const"}, function(b)
  local v = b:i32("v", {"B"}, {exported = true, value = "x + i"})
  local list = b:i32("list", "[]", {value = "1, n", bank = 2})
  local bits = b:u32("bits", "[]", {view = v})
  local half = b:i16("half", {"B"}, {address = 256})
  b:i32("store", {4})
  local steps = b:table("steps", "leave", "double")
  local k, word, sum = b:reg("k", "word", "sum")
  local walk = b:dsr "walk"
  local odd = b:dsd("odd", v[{1, nil, 2}])
  local one, two = b:microthread("one", "two")
  local left = b:queue("left", {number = 3})
  local q = b:fifo("q", "store", {on_leaving_full = "full", on_leaving_empty = "full"})
  local back = b:routing("back", "[west -> ramp] [-> east] ring pop=on_advance_nop")
  local first = b:filtering("first", "sparse max=0 limit=2 start=1 then=3 counts=both control=filtered")
  b:passive()
  b:seed("2 * x + 1")
  b:task "main"
  b.unblock(pulse)
  b:task("full", {number = 25, high = true})
  b.setd(walk, b.save(b.circular(v, {length = 2, start = 1})))
  b.mov32(walk, b.fabin("rx", {length = 2, queue = left, on_control = {activate = "full"}}),
          b.async(one, {activate = "full"}))
  b.mov32(b.fabout(blue, {control = true}), b.control("stop", "nop"))
  b.mov32(b.fabout(blue, {length = 2, advance = true}), q, b.async(two, {unblock = "full"}))
  b.mov16(b.fabout(blue, {packed = true}), half)
  b.mov16(b.fabout(blue, {index = 7}), half)
  b.mov32(k, b.mem("word", {length = 2, stride = 1}))
  b.mov32(v, odd)
  b.mov32(bits[0], list[1])
  b.map(v, "double", v, {index = k})
  b.call(sum, "double", k)
  b.assert(sum, "==", 1.0, "f32")
  b.setpos(red, 1)
  b.setroute(turned, back)
  b.setfilter(turned, first)
  b.jmp(steps[k])
  b:label "leave"
  b.end_task()
  b:task("take", {on = pulse, args = {word}})
  b:task("last", {control = "stop", args = {word}})
  b:task("over", {teardown = turned})
  b:func("double", {args = {"word: i32"}, result = "sum: i32", link = "r9"})
  b.add32(sum, word, word)
end)
w:place("all", w:rect({0, 1, 1}, 0), {rx = red, tx = function(x) return x == 0 and blue or nil end,
                                      edge = "x == 0"})
w:route(red, w:pe(0), {"ramp -> east", "-> ramp", ring = true, pop = "on_advance"})
w:route(red, w:pe(1), "[west -> ramp] [-> ramp] start=1 pop=always")
w:route(blue, w:pe(0), "ramp -> east")
w:route(blue, w:pe(1), "west -> ramp")
w:route(pulse, w:pe(0), "west -> ramp, east")
w:route(pulse, w:pe(1), "west -> ramp")
w:route(turned, w:pe(0), "ramp -> east torn_down pop=never")
w:route(turned, w:pe(1), "west -> ramp")
w:filter(red, w:pe(1), "range 0..9")
w:filter(blue, w:pe(1), "counter max=0 limit=3 start=1 counts=data control=filtered")
w:filter(pulse, w:pe(0), "none")
w:expect "v at (0, 0) == i within 1e-3 on wse2"
w:expect "cycles == 1"

local mesh = wse.layout(3, 3)
local cross = mesh:colour "cross"
mesh:program ".program idle\n  task main:\n"
mesh:place("idle", mesh:rect({0, 2, 2}, {0, 2}))
mesh:route(cross, mesh:pe(1, 1), "north -> south")
mesh:route(cross, mesh:pe(1, 2), "north -> ramp")
local cube = wse.layout{hypercube = 12}
cube:program ".program idle\n  task main:\n"
cube:place("idle", cube:pe(0))
for k = 0, 11 do
  local colour = cube:colour("c" .. k)
  cube:route(colour, cube:pe(0), "ramp -> dim" .. k)
  cube:route(colour, cube:pe(1 << k), "dim" .. k .. " -> ramp")
end

-- The text that the calls wrote assembles and runs; what main leaves out never starts.
assert(w:run{inputs = {words = {1, 2, 3, 4}}}.ok and mesh:run().ok and cube:run().ok)

local text = w:text() .. mesh:text() .. cube:text()
local words = {}
for word in text:gmatch "%.?[%a_][%w_]*" do words[word] = true end
local function is_said(terminal)
  return words[terminal] or terminal:find "^%p+$" and text:find(terminal, 1, true)
end

local count = 0
local function check(found, where)
  for terminal in pairs(found) do
    assert(is_said(terminal) or reasons[terminal],
           where .. " has '" .. terminal .. "'; which call writes it?")
    assert(not (is_said(terminal) and reasons[terminal]), "'" .. terminal .. "' is written by a call; the reason is stale")
    count = count + 1
  end
end
local grammar = terminals(wse.read_text "asm/GRAMMAR.md")
check(grammar, "asm/GRAMMAR.md")
check(operand_options(wse.read_text "asm/syntax/operand_options.def"), "operand_options.def")
for terminal in pairs(reasons) do
  assert(grammar[terminal], "asm/GRAMMAR.md has no '" .. terminal .. "'; the reason is stale")
end
assert(count >= 90, count .. " words; where are the others?")
