-- Collectives as parts of programs: what a user relies on beside the results, which collectives_calls.lua checks.
local collectives = require "collectives.calls"
local support = require "support.calls"
local wse = require "wse"

local function layout(width, height) return wse.layout(width, height):use(collectives) end

-- A barrier holds all back until the last has come, in each group by itself.
for _, machine in ipairs{"wse2", "wse3", "model"} do
  for _, form in ipairs{"macro", "task"} do
    local w = layout(6, 2)
    w:barrier{name = "meet", along = "rows", after = form == "task" and "met" or nil}
    w:program(([[
.program p(second: const = y)
  .reg k
  task main:
    bne   (x), 2 + y, come
    mov32 k, 100 + 400 * y
  late:
    sub32 k, k, 1
    bgt   k, 0, late
    .if second
    mark  late_below
    .else
    mark  late_above
    .end
  come:
    %s
  task met:
    .if second
    mark  below
    .else
    mark  above
    .end
    halt
]]):format(form == "task" and "activate meet" or "meet\n    activate met"))
    w:place("p", w:all())
    local marks = w:run{machine = machine}.marks
    assert(marks.above.first > marks.late_above.first and marks.below.first > marks.late_below.first)
    assert(machine == "model" or marks.above.last < marks.late_below.first, "rows wait for themselves alone")
    assert(marks.above.count == 6 and marks.below.count == 6)
  end
end

-- In a loop, of a length that changes from call to call: nothing is used up, no wavelet stays.
for _, pattern in ipairs{"chain", "tree", "two-phase"} do
  local w = layout(7, 5)
  w:allreduce{name = "total", pattern = pattern, root = "middle", type = "i32"}
  w:gather{name = "collect", along = "columns", root = 2, length = 3, type = "i32"}
  w:program[[
.program p
  .i32 v[9] = 1
  .i32 all[15]
  .reg n
  task main:
    mov32 n, 9
  again:
    total v[0 :+ n]
    collect all, v
    sub32 n, n, 1
    bge   n, 7, again
]]
  w:place("p", w:all())
  local record = w:run{strict = true}
  local v = record:symbol(6, 4, "v")
  assert(v[7] == 35 ^ 3 and v[8] == 35 ^ 2 and v[9] == 35, "three sums, two, one")
  assert(record:symbol(0, 2, "all")[15] == 35 ^ 3)
end

-- Beside 20 colours of the program that all meet at each PE a chain has room, and they stay as they are.
local w = layout(5, 1)
local own = w:colours("own", 20)
w:allreduce{name = "total", data = "v", pattern = "chain"}
local lines = {}
for k, colour in ipairs(own) do
  w:route(colour, w:all(), "ramp -> ramp")
  lines[k] = ("    mov32 fabout(own%d), %d\n    mov32 got, fabin(own%d)\n    add32 all, all, got"):format(k, k, k)
end
w:program(".program p\n  .f32 v[3] = x\n  .i32 all\n  .reg got\n  task main:\n" .. table.concat(lines, "\n", 1, 10)
          .. "\n    total\n" .. table.concat(lines, "\n", 11))
w:place("p", w:all())
local record = w:run()
assert(record:symbol(4, 0, "all") == 210 and record:symbol(2, 0, "v")[3] == 10)

-- Macros of the same PEs have the same colours, tasks have their own, and `colours` gives those of another one.
local function colours_of(add)
  local v = layout(8, 4)
  add(v)
  return #v.channels
end
local kChain <const> = {pattern = "chain", data = "v"}
local function chain(fields)
  local options = {}
  for name, value in pairs(kChain) do options[name] = value end
  for name, value in pairs(fields) do options[name] = value end
  return options
end
local one = colours_of(function(v) v:allreduce(chain{name = "a"}) end)
assert(one == 5, "two of a row, two of a column, one of the flood")
assert(colours_of(function(v) v:allreduce(chain{name = "a"}) v:reduce(chain{name = "b"}) end) == one)
assert(colours_of(function(v)
  local a = v:allreduce(chain{name = "a", after = "next"})
  v:allreduce(chain{name = "b", after = "next", colours = a})
end) == one)
assert(colours_of(function(v)
  v:allreduce(chain{name = "a", after = "next"})
  v:allreduce(chain{name = "b", after = "next"})
end) == 2 * one)
assert(colours_of(function(v)
  v:allreduce(chain{name = "a"})
  v:allreduce(chain{name = "b", at = v:rect({0, 6}, {0, 3})})
end) == 2 * one)

-- Several rectangles at once, each a group, of sizes of their own.
local u = layout(9, 6)
u:scan{name = "before", type = "i32", at = {u:rect({0, 3}, 1), u:rect({5, 8}, {2, 2}), u:rect(4, {0, 5})}}
u:allreduce{name = "most", type = "i32", op = "max", at = {u:rect({0, 3}, {2, 5}), u:rect({5, 8}, {3, 5})}}
u:program[[
.program p
  .i32 v[2] = 10 * y + x
  .i32 sums[2]
  task main:
    before sums, v
    most v
]]
u:place("p", u:all())
record = u:run()
assert(record:symbol(3, 1, "sums")[1] == 10 + 11 + 12 + 13 and record:symbol(8, 2, "sums")[2] == 25 + 26 + 27 + 28)
assert(record:symbol(4, 5, "sums")[1] == 6 * 4 + 150 and record:symbol(4, 0, "sums")[1] == 4)
assert(record:symbol(0, 2, "v")[1] == 53 and record:symbol(6, 4, "v")[1] == 58 and record:symbol(0, 0, "v")[1] == 0)
assert(record:symbol(7, 1, "sums")[1] == 0, "who is in no group does nothing")

-- A scan calls a function with what comes first on the left: f(a, b) = b keeps the last, so places keep their own.
for _, op in ipairs{"right", "left"} do
  local s = layout(5, 1)
  s:scan{name = "before", type = "i32", op = op}
  s:program[[
.program p
  .i32 v[3] = x + i
  .i32 w[3]
  .reg a, b, r, back
  task main:
    before w, v
  function right (a: i32, b: i32) -> r: i32 link back:
    mov32 r, b
  function left (a: i32, b: i32) -> r: i32 link back:
    mov32 r, a
]]
  s:place("p", s:all())
  assert(s:run():symbol(3, 0, "w")[3] == (op == "right" and 5 or 2))
end

-- The pattern is the one that is told, and auto is never slower than a fixed one, but for what planning leaves out.
for _, machine in ipairs{"wse2", "wse3", "model"} do
  for _, size in ipairs{{4, 64}, {16, 4}, {33, 16}} do
    local best, auto
    for _, pattern in ipairs{"star", "chain", "tree", "two-phase", "auto"} do
      local s = layout(size[1], 1)
      s:const("B", size[2])
      local made = s:reduce{name = "total", data = "v", length = size[2], pattern = pattern}
      s:program".program p\n  .f32 v[B] = x\n  task main:\n    mark begin\n    total\n    mark end"
      s:place("p", s:all())
      local run = s:run{machine = machine}
      local cycles = run.marks["end"].last - run.marks.begin.first
      assert(pattern == "auto" or made.pattern == pattern)
      assert(run.parts.total == "reduce by " .. made.pattern)
      if pattern == "auto" then auto = cycles else best = math.min(best or cycles, cycles) end
    end
    assert(auto <= 1.05 * best, ("%s, %d PEs, %d elements: auto %d, best %d"):format(machine, size[1], size[2],
                                                                                   auto, best))
  end
end

-- A root that changes from call to call, of rows and of the whole grid: nothing is left on the way, whoever sent before.
for _, form in ipairs{"macro", "task"} do
  local s = layout(5, 3)
  local given = form == "task" and {data = "v", after = "spread_over"} or {}
  s:broadcast{name = "spread", along = "rows", type = "i32", root = {at = "r"}, data = given.data, after = given.after}
  s:reduce{name = "total", type = "i32", root = {x = "r", y = "below"}}
  s:program(([[
.program p
  .i32 v[3] = x + 10 * y
  .i32 w[1]
  .i32 seen[5]
  .reg r, below
  task main:
    mov32 r, 0
    mov32 below, 2
    mov32 w, 1
    total w
  again:
    ;! allow E230
    mov32 v, x + 10 * y
    %s
  task spread_over:
    mov32 seen[r], v[2]
    add32 r, r, 1
    blt   r, 5, again
    mov32 r, 3
    mov32 below, 1
    mov32 w, x == 0 && y == 2 ? 9 : 2
    total w
    halt
]]):format(form == "task" and "activate spread" or "spread v\n    activate spread_over"))
  s:place("p", s:all())
  local run = s:run{strict = true}
  for x = 0, 4 do
    for r = 0, 4 do assert(run:symbol(x, 2, "seen")[r + 1] == r + 20, form) end
  end
  assert(run:symbol(3, 1, "w")[1] == 37)
end

-- root = "best" is never slower than the ends and the middle, and the record says which it is.
for _, size in ipairs{{2, 4}, {17, 1}, {16, 64}, {33, 256}} do
  local found = {}
  for _, root in ipairs{"first", "middle", "last", "best"} do
    local s = layout(size[1], 1)
    local made = s:allreduce{name = "total", data = "v", length = size[2], root = root}
    s:program((".program p\n  .f32 v[%d] = x\n  task main:\n    mark begin\n    total\n    mark end"):format(size[2]))
    s:place("p", s:all())
    local marks = s:run{machine = "model"}.marks
    found[root] = marks["end"].last - marks.begin.first
    if root == "best" then assert(made.root[1] >= 0 and made.root[1] < size[1] and made.root[2] == 0) end
  end
  assert(found.best <= math.min(found.first, found.middle, found.last), "best root")
end

-- A tree of the user's own takes what its law says.
local own_law = require("collectives.model").exact.own
for _, parents in ipairs{{0, 1, 1, 0, 4, 4}, {0, 0, 0, 3, 4, 3}, {0, 1, 2, 3, 4, 0}} do
  for _, B in ipairs{1, 8, 40} do
    assert(support.cycles("reduce", #parents + 1, B, {tree = parents}, "model") == own_law(parents, B))
  end
end

-- Sections of an all-to-all let fewer words go too far, and long lines take few statements.
do
  local before
  for _, sections in ipairs{1, 2, 4} do
    local cycles = support.cycles("alltoall", 32, 1, {length = 1, sections = sections}, "wse2")
    assert(not before or cycles < before, "more sections are faster")
    before = cycles
  end
  local s = layout(256, 4)
  s:alltoall{name = "swap", along = "rows", length = 1, sections = 2}
  s:allgather{name = "share", along = "rows", length = 1}
  s:program".program p\n  .f32 v[256] = x + i\n  .f32 w[256]\n  task main:\n    swap w, v\n    share v, w"
  s:place("p", s:all())
  local _, count = s:text():gsub("%.place ", "")
  assert(count < 20, count)
end

-- Beside 20 colours of the program that all meet at each PE every collective works, or what is out is said.
local kCalls <const> = {
  {"reduce", {pattern = "chain"}}, {"reduce", {pattern = "two-phase"}}, {"reduce", {pattern = "tree"}},
  {"reduce", {length = 3}}, {"allreduce", {length = 16, pattern = "star"}}, {"broadcast", {}}, {"barrier", {}},
  {"gather", {length = 1}, true}, {"scatter", {length = 1}, true}, {"allgather", {length = 1}, true},
  {"reduce_scatter", {length = 1}}, {"alltoall", {length = 1}, true}, {"alltoall", {length = 1, sections = 3}, true},
  {"alltoall", {length = 1, pattern = "chain"}, true}, {"scan", {}, true}, {"scan", {exclusive = true}, true},
}
for _, size in ipairs{{8, 1}, {4, 3}} do
  local worked, told = 0, 0
  for _, of in ipairs(kCalls) do
    local kind, options, has_into = table.unpack(of, 1, 3)
    local s, given = layout(size[1], size[2]), {name = "it"}
    for name, value in pairs(options) do given[name] = value end
    if not given.sections or size[2] == 1 then
      local colours, text = s:colours("own", 20), {}
      for k, colour in ipairs(colours) do
        s:route(colour, s:all(), "ramp -> ramp")
        text[k] = ("    mov32 fabout(own%d), %d\n    mov32 got, fabin(own%d)\n    add32 all, all, got"):format(k, k, k)
      end
      s[kind](s, given)
      local call = kind == "barrier" and "it" or has_into and "it v, u" or "it u"
      s:program(".program p\n  .f32 u[16] = x\n  .f32 v[16]\n  .i32 all\n  .reg got\n  task main:\n" .. table.concat(text, "\n")
                .. "\n    " .. call)
      s:place("p", s:all())
      local ok, result = pcall(s.run, s)
      if ok then
        worked = worked + 1
        assert(result:symbol(3, 0, "all") == 210, "the program's own colours")
      else
        told = told + 1
        assert(tostring(result):find("24", 1, true) and tostring(result):find("it", 1, true), tostring(result))
      end
    end
  end
  assert(worked >= 8 and told >= 1, ("%d worked, %d were told"):format(worked, told))
end

-- Segments: an all-reduce of 16 elements at a time, while the task before works on those that are through.
do
  local s = layout(6, 1)
  s:allreduce{name = "total", data = "v[at :+ 16]", length = 16, after = "summed"}
  s:program[[
.program p
  .f32 v[64] = x + i
  .reg at, done
  task main:
    activate total
  task summed:
    mov32 done, at
    add32 at, at, 16
    bge   at, 64, last
    activate total                       ; the next segment, beside the work on this one
    fmuls v[done :+ 16], v[done :+ 16], 2.0
    end
  last:
    fmuls v[done :+ 16], v[done :+ 16], 2.0
    halt
]]
  s:place("p", s:all())
  local v = s:run{strict = true}:symbol(5, 0, "v")
  for i = 0, 63 do assert(v[i + 1] == 2 * (15 + 6 * i)) end
end
