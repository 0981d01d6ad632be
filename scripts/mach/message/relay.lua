-- The program of every PE of a network: it passes messages on, x first, then y, takes those for it,
-- and sends those of its outbox. A header starts a data task, which claims an output; the words
-- follow on a microthread while they come in. A message has its output alone until its end; one that
-- wants a busy output waits, its colour blocked. The main thread never waits for a ramp: what it
-- sends goes on microthreads. x waits for x or y, y for y or the PE, which always takes: no circle.
local Code = require "support.code"
local header = require "mach.message.header"
local ipairs = ipairs

local relay = {}

local kRelay, kSent = 16, 20  -- the first of the tasks of outputs; colours have lower numbers
local kInject = 25            -- the task that sends the next message of the PE itself
local kEndEntry = 30          -- of control wavelets that end a message; only relays see them
local kNoLength = 16777215    -- of an instruction that a control wavelet ends
local kInputs = {"east", "west", "north", "south", "own"}   -- by the way they move
local kOutputs = {"east", "west", "north", "south", "here"}
local kTakes = {east = {"east", "own"}, west = {"west", "own"},
                north = {"north", "east", "west", "own"}, south = {"south", "east", "west", "own"},
                here = {"east", "west", "north", "south"}}

local function index_of(list, name)
  for k, one in ipairs(list) do
    if one == name then return k - 1 end
  end
end

-- In `busy` and `ended`.
local function output_bit(output) return 1 << index_of(kOutputs, output) end

-- In `waiting`: the input waits for the output.
local function pair_bit(input, output)
  return 1 << #kInputs * index_of(kOutputs, output) + index_of(kInputs, input)
end

local function declarations(code, sizes)
  code:head(".program relay(rx_east: colour, rx_west: colour, rx_north: colour, rx_south: colour, "
            .. "tx_east: colour, tx_west: colour, tx_north: colour, tx_south: colour)")
  code:line(".u32 outbox[%d] exported", sizes.outbox)
  code:line(".u32 inbox[%d] exported", sizes.inbox)
  code:line(".u32 waiting_header[%d]", #kInputs)
  code:line(".reg word, scratch, busy, waiting, ended, place, count")
  code:line(".reg owner_east, owner_west, owner_north, owner_south, owner_here")
  code:line(".dsr in_east, in_west, in_north, in_south, in_own")
  code:line(".dsr out_east, out_west, out_north, out_south, arrived")
  code:line(".dsr from_east, from_west, from_north, from_south, from_here")
  code:line(".microthread to_east, to_west, to_north, to_south, to_here")
  code:line(".passive")
end

-- Gives the output to the input, whose header is in `word`.
local function start(code, input, output, inbox)
  local bit = output_bit(output)
  code:line("start_%s_%s:", input, output)
  if output ~= "here" then
    code:op("mov32 out_%s, word async to_%s activate relay_%s", output, output, output)
  end
  code:op("or32  busy, busy, %d", bit)
  code:op("movd  from_%s, in_%s", output, input)
  code:op("mov32 owner_%s, %s", output, input == "own" and kInject or "rx_" .. input)
  code:op("slr32 scratch, word, %d", header.kLengthShift)
  code:op("and32 scratch, scratch, %d", header.kMostLength)
  code:op("bne   scratch, 0, length_%s_%s", input, output)
  if output ~= "here" then code:op("or32  ended, ended, %d", bit) end
  if output == "here" then  -- what is left of the inbox, more than any message
    code:op("getdpos scratch, arrived")
    code:op("sub32 scratch, %d, scratch", inbox)
  else
    code:op("mov32 scratch, %s", input == "own" and "count" or kNoLength)
  end
  code:line("length_%s_%s:", input, output)
  code:op("setdlen from_%s, scratch", output)
  if output == "here" then
    code:op("mov32 arrived, from_here async to_here activate sent_here")
  end
  code:op("end")
end

-- Claims the output, or waits for it.
local function claim(code, input, output, inbox)
  code:line("claim_%s_%s:", input, output)
  code:op("and32 scratch, busy, %d", output_bit(output))
  code:op("bne   scratch, 0, wait_%s_%s", input, output)
  start(code, input, output, inbox)
  code:line("wait_%s_%s:", input, output)
  code:op("mov32 waiting_header[%d], word", index_of(kInputs, input))
  code:op("or32  waiting, waiting, %d", pair_bit(input, output))
  code:op("end")
end

-- From where x is right: y, or here.
local function turn(code, input)
  code:op("slr32 scratch, word, 10")
  code:op("and32 scratch, scratch, 1023")
  if input ~= "own" then code:op("beq   scratch, y, claim_%s_here", input) end
  code:op("and32 scratch, word, %d", 1 << header.kTurnBit)
  code:op("beq   scratch, 0, claim_%s_south", input)
end

local function along_x(code, input, inbox)
  code:line("task head_%s on rx_%s (word):", input, input)
  code:op("block rx_%s", input)
  code:op("and32 scratch, word, 1023")
  code:op("beq   scratch, x, turn_%s", input)
  claim(code, input, input, inbox)
  code:line("turn_%s:", input)
  turn(code, input)
  for _, output in ipairs{"north", "south", "here"} do claim(code, input, output, inbox) end
end

local function along_y(code, input, inbox)
  code:line("task head_%s on rx_%s (word):", input, input)
  code:op("block rx_%s", input)
  code:op("slr32 scratch, word, 10")
  code:op("and32 scratch, scratch, 1023")
  code:op("beq   scratch, y, claim_%s_here", input)
  claim(code, input, input, inbox)
  claim(code, input, "here", inbox)
end

-- The next message of the outbox: its header, the number of its words, its words.
local function inject(code)
  code:line("task inject = %d:", kInject)
  code:op("mov32 word, outbox[place]")
  code:op("beq   word, -1, none_left")
  code:op("block inject")  -- until the output is free again
  code:op("activate inject")
  code:op("add32 place, place, 1")
  code:op("mov32 count, outbox[place]")
  code:op("add32 place, place, 1")
  code:op("setdpos in_own, place")
  code:op("setdlen in_own, count")
  code:op("add32 place, place, count")
  code:op("and32 scratch, word, 1023")
  code:op("bgt   scratch, x, claim_own_east")
  code:op("blt   scratch, x, claim_own_west")
  turn(code, "own")
  for _, output in ipairs{"north", "south", "east", "west"} do claim(code, "own", output, 0) end
  code:line("none_left:")
  code:op("end")
end

-- The words after a header; after them a control wavelet if that ends the message; then the output
-- is free, and the next input that waits for it gets it.
local function finish(code, output)
  local number = index_of(kOutputs, output)
  local bit = 1 << number
  if output ~= "here" then
    code:line("task relay_%s = %d:", output, kRelay + number)
    code:op("mov32 out_%s, from_%s async to_%s activate sent_%s", output, output, output, output)
    code:line("task sent_%s = %d:", output, kSent + number)
    code:op("and32 scratch, ended, %d", bit)
    code:op("beq   scratch, 0, free_%s", output)
    code:op("xor32 ended, ended, %d", bit)
    code:op("mov32 fabout(tx_%s, control, length=1), control(%d, nop) async to_%s activate sent_%s",
            output, kEndEntry, output, output)
    code:op("end")
  else
    code:line("task sent_here = %d:", kSent + number)
  end
  code:line("free_%s:", output)
  code:op("xor32 busy, busy, %d", bit)
  code:op("unblock owner_%s", output)
  code:op("beq   waiting, 0, free_%s_end", output)
  for _, input in ipairs(kTakes[output]) do
    code:op("and32 scratch, waiting, %d", pair_bit(input, output))
    code:op("bne   scratch, 0, resume_%s_%s", input, output)
  end
  code:line("free_%s_end:", output)
  code:op("end")
  for _, input in ipairs(kTakes[output]) do
    code:line("resume_%s_%s:", input, output)
    code:op("xor32 waiting, waiting, %d", pair_bit(input, output))
    code:op("mov32 word, waiting_header[%d]", index_of(kInputs, input))
    code:op("jmp   start_%s_%s", input, output)
  end
end

local function main(code)
  code:line("task main:")
  for _, way in ipairs{"east", "west", "north", "south"} do
    code:op("setd in_%s, fabin(rx_%s, length=1, on_control=terminate)", way, way)
    code:op("setd out_%s, fabout(tx_%s)", way, way)
  end
  code:op("setd in_own, save(outbox)")
  code:op("setd arrived, save(inbox)")
  code:op("activate inject")
end

-- sizes: words of outbox and inbox.
function relay.text(sizes)
  local code = Code.new()
  declarations(code, sizes)
  main(code)
  for _, input in ipairs{"east", "west"} do along_x(code, input, sizes.inbox) end
  for _, input in ipairs{"north", "south"} do along_y(code, input, sizes.inbox) end
  inject(code)
  for _, output in ipairs(kOutputs) do finish(code, output) end
  return code:text()
end

return relay
