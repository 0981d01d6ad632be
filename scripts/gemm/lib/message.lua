-- A message from the first to the last PE of a row, timed by three clocks:
--
--   global  one clock for the machine, which no program can read;
--   own     each PE's own since it was started, by a word that travels east from the first PE; the
--           end by the clock of the last PE less the begin by that of the first;
--   tsc     the same difference of the counters as they are, which start anywhere (--tsc-skew=SEED).
local checks = require "support.checks"
local host = require "wse.host"
local wse = require "wse"
local format = string.format

local message = {}

local kDefaults = {P = 4, words = 2}
local kOther = {machine = true, max_cycles = true, tsc_skew = true}

message.examples = {P = 1, words = 1}

-- clock: the PE's start, then its begin or end.
local kPrograms = [[
.program first
  .i32 v[%d] = i + 1
  .u32 clock[2] exported
  .reg at
  task main:
    mov32 fabout(start), 1
    mov32 at, fabin(start)
    tsc at
    mov32 clock[0], at
    mark begin
    tsc at
    mov32 clock[1], at
    mov32 fabout(words), v
.program last
  .i32 v[%d]
  .u32 clock[2] exported
  .reg at
  task main:
    mov32 at, fabin(start)
    tsc at
    mov32 clock[0], at
    mov32 v, fabin(words)
    activate received
  task received:
    mark end
    tsc at
    mov32 clock[1], at
    halt
]]

function message.layout(options)
  checks.names("a message", options, kDefaults, kOther)
  local P = checks.side("P", options.P or kDefaults.P, 2)
  local words = checks.integer("words", options.words or kDefaults.words, 1)
  local memory = host.machine(options.machine).memory_bytes
  if 4 * words > memory then
    host.raise(format("words = %d: they take %d bytes, and a PE has %d for data and code", words,
                      4 * words, memory))
  end
  local layout = wse.layout(P, 1)
  local start, red = layout:colour("start"), layout:colour("words")
  layout:program(format(kPrograms, words, words))
  layout:place("first", layout:pe(0))
  layout:place("last", layout:pe(P - 1))
  layout:path(red, {0, P - 1})
  layout:route(start, layout:pe(0), "ramp -> ramp, east")
  layout:route(start, layout:rect({1, P - 2}, 0), "west -> east")
  layout:route(start, layout:pe(P - 1), "west -> ramp")
  return layout, P, words
end

-- A difference of counters, of which the low 32 bits are known.
local function signed(difference)
  return ((difference + 0x80000000) & 0xFFFFFFFF) - 0x80000000
end

-- {P, words, hops, global_cycles, own_cycles, tsc_cycles}; the record.
function message.run(options)
  local layout, P, words = message.layout(options)
  local record = layout:run{machine = options.machine, max_cycles = options.max_cycles,
                            tsc_skew = options.tsc_skew}
  local got = record:symbol(P - 1, 0, "v")
  if type(got) ~= "table" then got = {got} end
  for i = 1, words do assert(got[i] == i, "a word came wrong") end
  local first, last = record:symbol(0, 0, "clock"), record:symbol(P - 1, 0, "clock")
  return {P = P, words = words, hops = P - 1, machine = record.machine,
          global_cycles = record.marks["end"].last - record.marks.begin.first,
          own_cycles = signed((last[2] - last[1]) - (first[2] - first[1])),
          tsc_cycles = signed(last[2] - first[2])}, record
end

return message
