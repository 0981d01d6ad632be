-- record:checkpoint, s:checkpoint and restore: machines that continue elsewhere, and what is refused.
local wse = require "wse"

local function fails(pattern, call, ...)
  local ok, message = pcall(call, ...)
  assert(not ok and tostring(message):find(pattern, 1, true), tostring(message))
end

local function with(spec, more)
  local both = {}
  for name, value in pairs(spec) do both[name] = value end
  for name, value in pairs(more) do both[name] = value end
  return both
end

-- A run that has stopped continues as if it had not.
local kChain = {file = "programs/reduce-chain/reduce-chain.wsa", values = {P = 16}, profile = true, tsc_skew = 3}
local whole = wse.run(kChain)
local cut = wse.run(with(kChain, {max_cycles = 60, allow_failure = true}))
assert(cut.status == "cycle_limit" and cut.cycles == 60)
cut:checkpoint("out/chain.ck")
local rest = wse.run(with(kChain, {restore = "out/chain.ck"}))
assert(rest.cycles == whole.cycles and rest.instructions == whole.instructions and rest.cycles > 60)
local busy, wanted = rest:profile().busy, whole:profile().busy
assert(#busy == 16)
for k = 1, #busy do assert(busy[k] == wanted[k], k) end

fails("the run is over", whole.checkpoint, whole, "out/whole.ck")
fails("another program, or of other values", wse.run, with(kChain, {values = {P = 8}, restore = "out/chain.ck"}))
fails("profile kept: true there, false here", wse.run, with(kChain, {profile = false, restore = "out/chain.ck"}))
fails("seed of cycle counters: 3 there, 4 here", wse.run, with(kChain, {tsc_skew = 4, restore = "out/chain.ck"}))
fails("its machine has load_cycles = 2, this one 5", wse.run,
      with(kChain, {machine = {base = "wse2", load = 5}, restore = "out/chain.ck"}))
fails("inputs and restore do not go together", wse.run, with(kChain, {inputs = {}, restore = "out/chain.ck"}))
fails("out/none.ck", wse.run, with(kChain, {restore = "out/none.ck"}))
fails("no checkpoint of wsevm", wse.run, with(kChain, {restore = kChain.file}))
fails("held by a host: false there, true here", wse.start, with(kChain, {restore = "out/chain.ck"}))
fails("the name of a file is wanted", cut.checkpoint, cut)

-- A session continues between two launches, or within one.
local kSession = {profile = true, text = [[
.grid 3, 1
.program cell
  .i32 v[6] exported = i
  .reg n, k
  task main:
  task step exported (n: i32):
    mov32 k, 0
  again:
    add32 v, v, n
    add32 k, k, 1
    blt   k, 4, again
.place cell at (0..2, 0)
]]}
local first = wse.start(kSession)
local began = first:launch("step", {2})
for _, stops in ipairs{false, true} do
  if stops then
    first:prepare("step", {5})
    first:run{until_cycle = first:cycle() + 20}
    assert(first:state() == "stopped")
  end
  first:checkpoint("out/session.ck")
  local second <close> = wse.start(with(kSession, {restore = "out/session.ck"}))
  assert(second:state() == first:state() and second:cycle() == first:cycle())
  assert(stops or second:record().cycles == began.cycles)
  local others = {}
  for k, session in ipairs{first, second} do
    if stops then session:run() end
    local record = session:launch("step", {1})
    others[k] = {record.cycles, session:read("v")[18], session:profile("busy")[3], session:cycle()}
  end
  for k = 1, 4 do assert(others[1][k] == others[2][k], k) end
end
first:close()
fails("the session is closed", first.checkpoint, first, "out/session.ck")
