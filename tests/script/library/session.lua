-- wse.start: launches from a script, parts of arrays, and what a session refuses.
local wse = require "wse"

local kProgram = [[
.const P = 3
.grid P, 2
.colour red
.program cell
  .f32 v[4] exported = 10 * x + y + i / 4
  .i16 small[2] exported = x
  .f32 m[2, 2] exported
  .i32 steps
  .i32 seen exported
  .reg n, factor, k
  task main:
  task scale exported (n: i32, factor: f32):
    mark  scales
    fmuls v, v, factor
    mov32 k, steps
    add32 k, k, n
    mov32 steps, k
  task stamp exported:
    tsc   k
    mov32 seen, k
  task lose exported:
    mov32 fabout(red), 1
  task spin exported:
    jmp   spinning
  spinning:
    add32 k, k, 1
    jmp   spinning
  task stop exported:
    halt
  task fail exported (k: i32):
    assert k == 0
.place cell at (0..P-1, 0..1)
.route red at (0..P-1, 0..1): ramp -> ramp
]]

local function start(options)
  options = options or {}
  options.text = kProgram
  return wse.start(options)
end

local function fails(message, f, ...)
  local ok, found = pcall(f, ...)
  assert(not ok, "no error: " .. message)
  assert(tostring(found):find(message, 1, true), ("'%s' is not in '%s'"):format(message, tostring(found)))
end

-- Launches, regions, arguments; time continues, and a record is that of one launch.
local s = start{profile = true}
assert(s:state() == "quiet")
local begin = s:cycle()
local all = s:launch("scale", {5, 0.5})
assert(all.ok and all.status == "halted" and all.message == nil and all.began == begin)
assert(all.elements == 24 and all.marks.scales.count == 6 and all.marks.scales.last <= all.cycles)
assert(s:cycle() == all.began + all.cycles + 1)
local one = s:launch("scale", {-1, 2}, {on = {1, 1, 1, 1}})
assert(one.cycles == all.cycles and one.elements == 4 and one.marks.scales.count == 1)
assert(s:symbol(0, 0, "steps") == 5 and s:symbol(1, 1, "steps") == 4)
local busy, idle = s:profile("busy"), 0
assert(busy:at(0, 0) == 0 and busy:at(1, 1) == one.pe_cycles.busy)
for _, cycles in ipairs(s:profile().idle) do idle = idle + cycles end
assert(idle == one.pe_cycles.idle and #s:profile().link.east == 6)
s:launch("stamp")
assert(s:read("seen"):at(2, 1) == s:record().began + 1)

-- Tasks that are prepared begin together.
s:prepare("scale", {1, 1}, {on = {0, 0, 3, 1}})
assert(s:state() == "stopped")
s:prepare("scale", {2, 1}, {on = {0, 1, 3, 1}})
local both = s:run()
assert(both.cycles == all.cycles and both.elements == 24 and s:state() == "quiet")

-- Stops on the way, and waits.
local from = s:cycle()
s:prepare("scale", {0, 1})
local part = s:run{until_cycle = from + 3}
assert(part.ok and part.status == "cycle_limit" and s:state() == "stopped" and s:cycle() == from + 3)
fails("not quiet", s.launch, s, "scale", {0, 1})
assert(s:run().cycles == all.cycles)
s:run{until_cycle = 1000}
assert(s:cycle() == 1000 and s:launch("stamp").began == 1000)

-- Parts of arrays.
s:write("v", function(x, y, i) return 100 * x + 10 * y + i end)
assert(table.concat(s:read("v", {rect = {1, 0, 2, 1}, elements = {2, 4}}), " ") == "102.0 103.0 202.0 203.0")
s:write("v", {1, 2, 3, 4}, {rect = {0, 0, 1, 2}, elements = {1, 3}})
local v = s:read("v")
assert(v:at(0, 0, 0) == 0 and v:at(0, 0, 1) == 1 and v:at(0, 0, 2) == 2 and v:at(0, 1, 1) == 3)
s:write("v", function(x, y, i) return i end, {rect = {2, 1, 1, 1}, elements = {2, 4}})
assert(s:read("v"):at(2, 1, 3) == 1 and s:read("v"):at(2, 1, 1) == 211)
local corner = s:read("small", {rect = {1, 1, 2, 1}})
assert(corner.x0 == 1 and corner.y0 == 1 and corner.type == "i16" and corner:at(2, 1, 1) == 2)
s:write("m", {{{{1, 2}, {3, 4}}}}, {rect = {0, 0, 1, 1}})
assert(s:read("m"):at(0, 0, 3) == 4)
s:set(0, 0, "steps", -7)
s:set(0, 0, "v", {4, 3, 2, 1})
assert(s:symbol(0, 0, "steps") == -7 and s:symbol(0, 0, "v")[1] == 4)

-- Calls that are refused before anything acts.
local here = s:cycle()
fails("exports a task 'sacle'; launches are: fail, lose, scale, spin, stamp, stop", s.launch, s, "sacle")
fails("takes 2 arguments, 1 is given", s.launch, s, "scale", {1})
fails("argument 1 of task 'scale'", s.launch, s, "scale", {0.5, 1})
fails("argument 2: a number is wanted, not 'x'", s.launch, s, "scale", {1, "x"})
fails("a list of at most 15 numbers", s.launch, s, "scale", 5)
fails("the name of a task is wanted", s.launch, s, 5)
fails("unknown option 'at'", s.launch, s, "stamp", {}, {at = {0, 0, 1, 1}})
fails("a rectangle is {x, y, width, height}", s.launch, s, "stamp", {}, {on = {0, 0, -1, 1}})
fails("leaves the grid of 3 x 2 PEs", s.launch, s, "stamp", {}, {on = {2, 0, 2, 1}})
fails("no part of array 'v'", s.read, s, "v", {rect = {2, 0, 2, 1}})
fails("elements 2..4 are no part of array 'v'", s.read, s, "v", {elements = {2, 5}})
fails("exports 'w'", s.read, s, "w")
fails("v: 8 numbers", s.write, s, "v", {1}, {rect = {0, 0, 2, 1}})
fails("steps: 'x' is no number", s.set, s, 0, 0, "steps", "x")
fails("a list is wanted", s.set, s, 0, 0, "v", 1)
fails("has no symbol 'none'", s.symbol, s, 0, 0, "none")
fails("until_cycle", s.run, s, {until_cycle = -1})
fails("this is no session", s.cycle, {})
fails("a profile has no array 'bus'", s.profile, s, "bus")
assert(s:cycle() == here and s:state() == "quiet")
assert(table.concat(s:tasks().scale, " ") == "i32 f32" and #s:tasks().stamp == 0)

-- A PE that halted is launched no more; others are.
s:launch("stop", {}, {on = {2, 1, 1, 1}})
fails("PE(2, 1) executed `halt`", s.launch, s, "stamp")
assert(s:launch("stamp", {}, {on = {0, 0, 2, 2}}).ok)
s:close()
fails("the session is closed", s.launch, s, "stamp")
s:close()

-- Ends that are bad: errors of the script, or records.
local lost = start()
fails("wavelet nobody took", lost.launch, lost, "lose", {}, {on = {1, 0, 1, 1}})
assert(lost:state() == "broken" and lost:read("v"):at(1, 0) == 10)
fails("wavelet nobody took", lost.launch, lost, "stamp")
local allowed = start{allow_failure = true}
local trapped = allowed:launch("fail", {1})
assert(not trapped.ok and trapped.status == "trap" and trapped.trap.pe[1] == 0 and allowed:state() == "broken")
local cut = start{allow_failure = true, max_cycles = 60}
assert(cut:launch("spin").status == "cycle_limit" and cut:state() == "stopped")
local strict = start{max_cycles = 60}
fails("limit of 60 cycles", strict.launch, strict, "spin")
fails("interval is for wse.run", start, {interval = true})
fails("unknown field 'fiel'", wse.start, {fiel = "x"})

-- Sessions of a layout have the same calls; at the end of a block the machine is gone.
local w = wse.layout(2, 1)
w:build("cell", {}, function(b)
  local v, n = b:i32("v", {exported = true}), b:reg "n"
  b:task "main"
  b:task("add", {exported = true, args = {"n: i32"}})
  b.add32(n, n, v)
  b.mov32(v, n)
end)
w:place("cell", w:all())
local gone
do
  local made <close> = w:start()
  made:launch("add", {3})
  made:launch("add", {4}, {on = {1, 0, 1, 1}})
  assert(table.concat(made:read("v"), " ") == "3 7")
  gone = made
end
fails("the session is closed", gone.cycle, gone)

-- Many launches cost no memory.
local many = start()
for _ = 1, 300 do many:launch("scale", {1, 1}) end
assert(many:symbol(2, 1, "steps") == 300)
