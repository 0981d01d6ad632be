-- Parts of a layout: what programs that name one get, and where; nobody else gets anything.
local parts = require "wse.layout.parts"
local wse = require "wse"

-- A part `mark_it` of a region: a macro that stores the number that its PE has.
local marking = {}
function marking.number(w, name, cells)
  parts.add(w, {name = name, title = "a number", call = "w:number", line = "x.lua:1",
                parameters = {name .. "_value: i32 = 7"}, declarations = {"  .reg shared"},
                statements = {}, macro = {".macro " .. name .. "(to)", "    mov32 shared, " .. name .. "_value",
                                          "    mov32 to, shared", ".end"},
                cells = cells})
  return name
end

local function piece(x0, x1, y) return {{{x0, x1, 1}, {y, y, 1}}} end

local w = wse.layout(4, 1):use(marking)
w:number("first", {{pieces = piece(0, 1, 0), values = "first_value = 10 + x"},
                   {pieces = piece(2, 2, 0), values = "first_value = 20"}})
w:number("second", {{pieces = piece(1, 2, 0), values = "second_value = 30"}})
-- Headers of all forms: without a list, an empty one, one of several lines with a comment, a default with
-- parentheses. Blocks end in the middle of a program.
w:program[[
.program plain                        ; no list (yet)
  .i32 a
  .i32 b
  task main:
    .if 1
    first a
    .end
    second b
.program empty()
  .i32 a
  .i32 b
  task main:
    second b
    first a
.program long(n: i32 = max(1, 2),     ; a list )
              m: i32 = (3))
  .i32 a
  .i32 b
  task main:
    first a
    second b
    add32 a, a, n
.program none(n: i32 = 4)
  .i32 a
  .i32 b
  task main:
    mov32 a, n
]]
w:place("plain", w:pe(0))
w:place("empty", w:pe(1))
w:place("long", w:pe(2), {n = 5})
w:place("none", w:pe(3))
local record = w:run()
local function found(x) return record:symbol(x, 0, "a"), record:symbol(x, 0, "b") end
local function expect(x, a, b)
  local has_a, has_b = found(x)
  assert(has_a == a and has_b == b, ("PE %d has %s and %s"):format(x, has_a, has_b))
end
expect(0, 10, 7)
expect(1, 11, 30)
expect(2, 25, 30)
expect(3, 4, 0)
assert(record.parts.first == "a number" and record.parts.second == "a number")
local text = w:text()
assert(select(2, text:gsub("%.reg shared", "")) == 3, "each program that names parts has the register once")
assert(text:find(".program none(n: i32 = 4)", 1, true), "a program that names no part is as it was")
assert(text:find(".program plain(first_value: i32 = 7, second_value: i32 = 7) ", 1, true))
assert(text:find(".program empty(first_value: i32 = 7, second_value: i32 = 7)\n", 1, true))
assert(text:find("m: i32 = (3), first_value: i32 = 7, second_value: i32 = 7)\n", 1, true))

-- A program written by calls.
local v = wse.layout(2, 1):use(marking)
v:number("third", {{pieces = piece(0, 1, 0), values = "third_value = 40 + x"}})
v:place(v:build("called", {n = {"i32", 1}}, function(b)
  local a = b:i32("a")
  b:task("main")
  b.use("third", a)
  b.add32(a, a, "n")
end), v:all(), {n = 2})
local called = v:run()
assert(called:symbol(0, 0, "a") == 42 and called:symbol(1, 0, "a") == 43)

-- Lines of a program behind one that got statements are still those of the text.
local u = wse.layout(2, 1):use(marking)
u:number("fourth", {{pieces = piece(0, 0, 0), values = "fourth_value = 1"}})
u:program[[
.program one
  .i32 a
  task main:
    fourth a
.program two
  task main:
    assert x == 0
]]
u:place("one", u:pe(0))
u:place("two", u:pe(1))
local ended = u:run{allow_failure = true}
assert(ended.status == "trap" and ended.trap.line:find("%(%d+%):7$"), ended.trap.line)

-- What a program says behind a block is its own; what is behind its end is not.
local found_programs = require("wse.layout.program_text").read("test", [[
.program one
  task main:
    .if 1
    .for k = 0..1
    mov32 fabout(red), 1
    .end
    .end
    mov32 fabout(blue), 1
.macro other(a)
    .if 1
    .end
    mov32 fabout(green), a
.end
]])
local words = found_programs.programs[1].words
assert(words.red and words.blue and not words.green and found_programs.macros.other.words.green)
assert(found_programs.programs[1].last == 8)
