-- The broadcast as the paper measured it, on a row: PE 0 floods x, then the last PE floods it back, five
-- times there and back after three that warm up. One PE's clock is enough; a broadcast takes a tenth.
-- Descriptors are loaded before the first one.
--
--   ping_pong.run{P = 512, B = 16}.cycles
local flood = require "collectives.operations.flood"
local host = require "wse.host"
local input = require "collectives.lib.input"
local model = require "collectives.model"
local requests = require "collectives.lib.requests"
local wse = require "wse"
local format = string.format

local ping_pong = {}

local kWarmUps <const>, kTimed <const> = 3, 5

local kHead = [[
.program %s
  .%s x[B] exported
  .dsr send_x, take_x, on_there, on_back
  task main:
    setd send_x, x
    setd take_x, x
    setd on_there, %s
    setd on_back, %s
]]

-- `turn`: the two instructions of a way there and back.
local function text_of(name, element, there, back, turn, timed)
  local lines = {format(kHead, name, element.name, there, back)}
  for k = 1, kWarmUps + kTimed do
    if timed and k == kWarmUps + 1 then lines[#lines + 1] = "    mark begin\n" end
    lines[#lines + 1] = turn:gsub("MOVE", element.move)
  end
  if timed then lines[#lines + 1] = "    mark end\n" end
  return (table.concat(lines):gsub("\n$", ""))
end

local function layout_of(request)
  local P, element = request.width, request.element
  local layout = wse.layout(P, 1)
  layout:const("B", request.B)
  local there, back = layout:colour "there", layout:colour "back"
  layout:program(text_of("first", element, "fabout(there)", "fabin(back)",
                         "    MOVE on_there, send_x\n    MOVE take_x, on_back\n", true))
  layout:program(text_of("last", element, "fabin(there)", "fabout(back)",
                         "    MOVE take_x, on_there\n    MOVE on_back, send_x\n"))
  layout:place("first", layout:pe(0, 0))
  layout:place("last", layout:pe(P - 1, 0))
  if P > 2 then
    layout:program(text_of("between", element, "fabin(there)", "fabin(back)",
                           "    MOVE take_x, on_there\n    MOVE take_x, on_back\n"))
    layout:place("between", layout:rect({1, P - 2}, 0))
  end
  flood.route(layout, there, 0, 0)
  flood.route(layout, back, P - 1, 0)
  return layout
end

-- As flood.run; `cycles` is a tenth of what five ways there and back take.
function ping_pong.run(options)
  local request = requests.make(options)
  if not request.row or request.width < 2 then
    host.raise("pattern = ping-pong: a row of at least 2 PEs is wanted, with P")
  end
  if request.root_x ~= 0 then host.raise("pattern = ping-pong: it begins at the first PE") end
  local P, B = request.width, request.B
  local numbers = input.make(P, 1, request.seed, request.element)
  local record = requests.run(request, layout_of(request), numbers.given(B))
  local result = requests.result(request, record)
  result.cycles = model.terms.number(result.cycles / (2 * kTimed))
  local expected = model.row.broadcast(P, B, {machine = request.machine})
  result.model_cycles, result.lower_bound_cycles = expected.cycles, expected.cycles
  result.terms, result.colours = expected.terms, 2
  result.measured_terms = requests.measured_terms(record, 1)
  local sent = {}
  for i = 0, B - 1 do sent[i] = numbers.value(0, 0, i) end
  result.max_abs_error = flood.error_of_all(record, sent, B)
  return result, record
end

return ping_pong
