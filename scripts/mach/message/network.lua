-- A network of PEs that send each other messages: who sends what to whom, run, and what arrived.
--   network.run{width = 4, height = 4, messages = {{from = {0, 0}, to = {3, 2}, words = {1, 2}}}}
-- Colours alternate by parity, so routes are static: a PE sends on one and receives on the other.
local header = require "mach.message.header"
local host = require "wse.host"
local relay = require "mach.message.relay"
local wse = require "wse"
local format, ipairs = string.format, ipairs

local network = {}

local kNone = 0xffffffff  -- after the last message of an outbox
local kMostWords = 11000  -- of an outbox and an inbox, beside the code

local kOrder = {"east", "west", "north", "south"}
local kWays = {east = {1, 0}, west = {-1, 0}, north = {0, -1}, south = {0, 1}}
local kOpposite = {east = "west", west = "east", north = "south", south = "north"}

local function check(o, message)
  for _, end_of in ipairs{"from", "to"} do
    local x, y = message[end_of][1], message[end_of][2]
    if x < 0 or x >= o.width or y < 0 or y >= o.height then
      host.raise(format("a message goes %s (%d, %d), which is not on the grid", end_of, x, y))
    end
  end
  if message.from[1] == message.to[1] and message.from[2] == message.to[2] then
    host.raise(format("a message of PE (%d, %d) goes to itself", message.to[1], message.to[2]))
  end
  local most = message.by_control and kMostWords or header.kMostLength
  if #message.words < 1 or #message.words > most then
    host.raise(format("a message has %d words; 1 to %d are wanted", #message.words, most))
  end
end

-- Outboxes by PE, and the words of the fullest outbox and inbox.
local function outboxes(o)
  local boxes, arriving, most_out, most_in = {}, {}, 1, 1
  for _, message in ipairs(o.messages) do
    check(o, message)
    local from = message.from[2] * o.width + message.from[1]
    local to = message.to[2] * o.width + message.to[1]
    local box = boxes[from] or {}
    boxes[from] = box
    box[#box + 1] = header.word(message.from[2], message.to[1], message.to[2],
                                message.by_control and 0 or #message.words)
    box[#box + 1] = #message.words
    table.move(message.words, 1, #message.words, #box + 1, box)
    arriving[to] = (arriving[to] or 0) + #message.words
    most_out, most_in = math.max(most_out, #box + 1), math.max(most_in, arriving[to])
  end
  if most_out + most_in >= kMostWords then
    host.raise(format("the fullest outbox has %d words, the fullest inbox %d; %d fit into a PE",
                      most_out, most_in, kMostWords))
  end
  return boxes, {outbox = most_out, inbox = most_in + 1}  -- one more than all that comes
end

-- One colour: PEs of a parity along its way send, the others receive.
local function route(w, way, parity)
  local along_x, forward = kWays[way][1] ~= 0, way == "east" or way == "south"
  local last = (along_x and w.width or w.height) - 1
  local function line(k) return along_x and w:column(k) or w:row(k) end
  local ends, begins = line(forward and last or 0), line(forward and 0 or last)
  w:route(way .. parity, line{parity, last, 2} - ends, "ramp -> " .. way)
  w:route(way .. parity, line{1 - parity, last, 2} - begins, kOpposite[way] .. " -> ramp")
end

local function place(w)
  for px = 0, 1 do
    for py = 0, 1 do
      local parameters = {}
      for way, step in pairs(kWays) do
        local parity = step[1] ~= 0 and px or py
        parameters["tx_" .. way] = way .. parity
        parameters["rx_" .. way] = way .. 1 - parity
      end
      local at = w:rect({px, w.width - 1, 2}, {py, w.height - 1, 2})
      if #at > 0 then w:place("relay", at, parameters) end
    end
  end
end

-- {record, inbox = function(x, y), a list of its words}
function network.run(o)
  local boxes, sizes = outboxes(o)
  local w = wse.layout(o.width, o.height)
  for _, way in ipairs(kOrder) do
    for parity = 0, 1 do w:colour(way .. parity) end
  end
  w:program(relay.text(sizes))
  place(w)
  for _, way in ipairs(kOrder) do
    for parity = 0, 1 do route(w, way, parity) end
  end
  local record = w:run{machine = o.machine, max_cycles = o.max_cycles, inputs = {
    outbox = function(x, y, i)
      local box = boxes[y * o.width + x]
      return box and box[i + 1] or kNone
    end,
  }}
  local inbox = record:array("inbox")
  return {record = record, inbox_words = sizes.inbox, inbox = inbox}
end

return network
