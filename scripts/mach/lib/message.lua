-- Messages on a grid: every one that was sent is looked for where it should be; what a hop and a word
-- cost is measured on an idle grid of the same size.
local checks = require "support.checks"
local figures = require "support.figures"
local network = require "mach.message.network"
local patterns = require "mach.lib.message_patterns"
local wse = require "wse"

local message = {}

message.arguments = {{"width", 16}, {"height", 16}, {"pattern", "random"}, {"length", 8},
                     {"seed", 1}}

-- Counts the messages that are whole in the inbox of their PE: {delivered, wrong}.
local function looked_for(o, list, inbox, size)
  local expected, delivered, wrong = {}, 0, 0
  for _, one in ipairs(list) do
    local to = one.to[2] * o.width + one.to[1]
    expected[to] = expected[to] or {}
    expected[to][one.words[1]] = one
  end
  for to, messages in pairs(expected) do
    local function word(i) return inbox:at(to % o.width, to // o.width, i) end
    local place = 0
    while place < size and word(place) ~= 0 do
      local one = messages[word(place)]
      messages[word(place)] = nil
      if not one then
        wrong = wrong + 1
        break
      end
      local right = true
      for k, value in ipairs(one.words) do right = right and word(place + k - 1) == value end
      if right then delivered = delivered + 1 else wrong = wrong + 1 end
      place = place + #one.words
    end
  end
  return delivered, wrong
end

-- The cycles of one message from (0, 0) to (x, y).
function message.one(o, x, y, length)
  local words = patterns.words_of(1, length)
  return network.run{width = o.width, height = o.height, machine = o.machine, messages = {
    {from = {0, 0}, to = {x, y}, words = words, by_control = o.length == 0}}}.record.cycles
end

-- From corner to corner and one hop; long and short.
local function costs(o)
  local x, y = o.width - 1, o.height - 1
  local near_x = o.width > 1 and 1 or 0
  local length, hops = o.length > 0 and o.length or 16, x + y
  local far = message.one(o, x, y, length)
  local per_hop = figures.none("a grid of one hop")
  if hops > 1 then
    per_hop = (far - message.one(o, near_x, 1 - near_x, length)) / (hops - 1)
  end
  -- what the routers on the way hold does not wait for the header: short messages hide their words
  local long, short = o.length > 0 and 31 or 1200, o.length > 0 and 1 or 600
  local per_word = (message.one(o, x, y, long) - message.one(o, x, y, short)) / (long - short)
  return per_hop, per_word
end

function message.run(o)
  checks.integer("width", o.width, 1, 1024)
  checks.integer("height", o.height, 1, 1024)
  checks.integer("width * height", o.width * o.height, 2, 1 << 20)
  checks.one_of("pattern", o.pattern, patterns.names)
  checks.integer("length", o.length, 0, 31)
  checks.integer("seed", o.seed, 0, 1 << 40)
  local list = patterns.messages(o)
  local result = network.run{width = o.width, height = o.height, machine = o.machine,
                             messages = list, max_cycles = o.max_cycles}
  local delivered, wrong = looked_for(o, list, result.inbox, result.inbox_words)
  local per_hop, per_word = figures.none("not asked for"), figures.none("not asked for")
  if o.costs ~= false then per_hop, per_word = costs(o) end
  return {messages = #list, delivered = delivered, wrong = wrong, cycles = result.record.cycles,
          cycles_per_hop = per_hop, cycles_per_word = per_word, max_abs_error = wrong * 1.0,
          colours = 8, machine = wse.machine(o.machine).name}
end

function message.shown(o, result)
  return string.format([[
%s of %d x %d PEs, %s on %s: %d messages, %d delivered, %d wrong, %d cycles
  on an idle grid %s cycles per hop, %s per word]],
    o.pattern, o.width, o.height,
    o.length > 0 and o.length .. " words" or "ended by a control wavelet", result.machine,
    result.messages, result.delivered, result.wrong, result.cycles,
    figures.text("%.1f", result.cycles_per_hop), figures.text("%.3f", result.cycles_per_word))
end

return message
