-- record:path and record:why: what a run waited for, from its machine and by second runs; what is refused, and why.
local wse = require "wse"
local message, chain = "programs/message/message.wsa", "programs/reduce-chain/reduce-chain.wsa"
local words = {}
for k = 1, 16 do words[k] = k end
local function run(P, path)
  return wse.run{file = message, values = {P = P}, inputs = {x = words}, machine = "model", path = path}
end

-- A message of 16 words over 8 links: the terms of the closed form, and gapless steps.
local record = run(9, true)
local path = record:path()
assert(path.cycles == record.cycles and path.cycles == 29 and path.pe[1] == 8 and path.pe[2] == 0)
assert(path.terms.contention == 16 and path.terms.distance == 8 and path.terms.depth == 5)
assert(path.kinds.issue == 16 and path.kinds.link == 8 and path.kinds.ramp == 5 and path.kinds.room == 0)
assert(path.without.link == 21 and path.without.room == 29 and path.next_path <= 29)
assert(path.colours.red == 29 and #path.lines == 1 and path.lines[1].cycles == 18)
assert(path.lines[1].line == "message.wsa:16" and path.lines[1].text:find("fmovs y, fabin(red)", 1, true))
local cycle = 0
for _, step in ipairs(path.steps) do
  assert(step.cycle == cycle)
  cycle = cycle + step.cycles
end
assert(cycle == 29 and path.steps[2].kind == "link" and path.steps[2].from[1] == 0 and path.steps[2].to[1] == 1)
assert(path.steps[2].colour == "red" and path.steps[#path.steps].line == "message.wsa:16")
local listed = 0
for _, segment in ipairs(path.segments) do listed = listed + segment.times * #segment.steps end
assert(listed == #path.steps and path.segments[2].times == 8)
local links = record:path{kinds = {"link"}}
assert(#links.steps == 8 and links.cycles == 29)

-- Other events: by a second run, which sets the inputs again.
assert(record:path{to = "4,0@20"}.cycles == 20 and record:path{to = {4, 0, 20}}.pe[1] == 4)
assert(record:path{to = "end"}.cycles == 29)
local early = run(9, "4,0@20")
assert(early:path().cycles == 20 and early:path{to = ""}.cycles == 29)

-- Why: of any run without inputs, and of one that keeps causes.
local sum = wse.run{file = chain, machine = "model"}
local text = sum:why(2, 0, 20)
assert(text:find("class 0: PE(2, 0) (main) at reduce-chain.wsa:20 received 0 of 16 words of red", 1, true), text)
assert(text:find("until cycle 30, when a word of red came, sent by PE(3, 0)", 1, true), text)
assert(sum:why(2, 0, 12):find("before cycle 12", 1, true) and sum:why(2, 0, 20) == text)
assert(record:why(8, 0, 5):find("until cycle 13", 1, true), record:why(8, 0, 5))

local function refused(wanted, call, ...)
  local fine, error_text = pcall(call, ...)
  assert(not fine and tostring(error_text):find(wanted, 1, true), wanted .. ": " .. tostring(error_text))
end
refused("unknown field 'form'; there are kinds, to", record.path, record, {form = 1})
refused("a table such as {to = \"3,0@120\"} is wanted, not 7", record.path, record, 7)
refused("to '9,0': the grid has 9 x 1 PEs", record.path, record, {to = {9, 0}})
refused("{x, y} or {x, y, cycle} is wanted", record.path, record, {to = {9}})
refused("\"X,Y\", \"X,Y@CYCLE\" or a mark is wanted, not 3", record.path, record, {to = 3})
refused("nor a mark of the program: begin, end", record.path, record, {to = "middle"})
refused("nothing happened there; name a PE and a cycle by which", record.path, record, {to = "4,0@1"})
refused("unknown kind 'lnk'; there are bank, drain", record.path, record, {kinds = {"lnk"}})
refused("kinds is link; a list such as", record.path, record, {kinds = "link"})
refused("no record of wse.run", record.path, {cycles = 3})
refused("wse.run{path = true} keeps those of what ends last", sum.path, sum)
refused("PE(9, 0) is outside the grid, which has 9 x 1 PEs", record.why, record, 9, 0, 20)
refused("30 is no cycle of the run, which took 29: ask for 1 to 29", record.why, record, 8, 0, 30)
refused("0 is no cycle of the run", record.why, record, 8, 0, 0)
refused("x and y of a PE and a cycle are wanted", record.why, record, 8, 0)
refused("no record of wse.run", record.why, {}, 0, 0, 1)
local blind = run(4)
refused("what the run began with is not kept; wse.run{path = true} keeps it", blind.why, blind, 0, 0, 3)
refused("path: 'middle': neither X,Y", run, 4, "middle")
refused("path: true, \"X,Y\", \"X,Y@CYCLE\" or a mark is wanted, not 3", run, 4, 3)
refused("path is for wse.run, of a whole run", wse.start, {file = message, path = true})

-- A run that is cut, and its second run with the same limit.
local cut = wse.run{file = chain, machine = "model", max_cycles = 20, allow_failure = true, path = true}
assert(cut:path().cycles == cut.cycles and cut:path{to = "7,0"}.cycles <= 20)
