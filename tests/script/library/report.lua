-- wse.report: a page of runs that kept profiles, with a model beside them; what is refused, and why.
local wse = require "wse"
local text = [[
.const N = 2
.grid N, 1
.program p
  task main:
    mov32 r1, x
.place p at (0..N - 1, 0)
]]
local function run(N, profile) return wse.run{text = text, values = {N = N}, profile = profile} end
local two, three = run(2, true), run(3, true)

-- The text of the page that is written.
local function page(fields)
  fields.file = "report.html"
  wse.report(fields)
  return wse.read_text("report.html")
end
local function has(page_text, wanted)
  assert(page_text:find(wanted, 1, true), wanted .. " is missing")
end

local listed = page{runs = {two, three}}
has(listed, "<title>run 1, run 2</title>")
has(listed, '"grid":[2,1]')
has(listed, '"grid":[3,1]')
local named = page{runs = {wide = three, narrow = two}, title = "Both", model = {wide = {C = 4, E = 0.5}}}
has(named, "<title>Both</title>")
has(named, '"model":{"wide":{"C":4.0,"E":0.5}}')
assert(named:find('"name":"narrow"', 1, true) < named:find('"name":"wide"', 1, true))

local function refused(fields, wanted)
  local fine, message = pcall(wse.report, fields)
  assert(not fine and tostring(message):find(wanted, 1, true), wanted .. ": " .. tostring(message))
end
refused({runs = {two}}, "file is nil; a name that ends in .html is wanted")
refused({file = "a.txt", runs = {two}}, "a name that ends in .html is wanted")
refused({file = "a.html"}, "runs is nil; a table of records is wanted")
refused({file = "a.html", runs = {}}, "1 to 16 runs are wanted")
refused({file = "a.html", runs = {{cycles = 3}}}, "a run is no record of wse.run")
refused({file = "a.html", runs = {7}}, "run 'run 1' is 7; a record of wse.run is wanted")
refused({file = "a.html", runs = {run(2, false)}}, "run 'run 1': the run kept no profile; wse.run{profile = true} keeps one")
refused({file = "a.html", runs = {a = two}, model = {b = {C = 1}}}, "model has 'b', which is no run; there are a")
refused({file = "a.html", runs = {a = two}, model = {a = {C = "1"}}}, "model: C is '1'; a number is wanted")
refused({file = "a.html", runs = {a = two}, model = {a = 3}}, "model: a table of numbers is wanted")
refused({file = "a.html", runs = {two}, colour = "red"}, "unknown field 'colour'")
