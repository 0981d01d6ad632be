-- The end of 2.5d: sums of `layers` grids that stand side by side move west, PE by PE, and are added
-- up in the first grid. All are on their way at once: in round t PE x gets what PE x + t has made.
local homeward = {}

local function wanted(request) return request.layers > 1 and request.moves > 0 end

function homeward.header(request, header)
  if not wanted(request) then return end
  header[#header + 1] = "home_tx: colour"
  header[#header + 1] = "home_rx: colour"
end

function homeward.declare(code, request)
  if not wanted(request) then return end
  code:line(".%s passing[%d] address=%d", request.element.sum_name,
            2 * request.c_bytes // request.element.sum.bytes, request.plan.places.passing)
  code:line(".microthread home_sending, home_receiving")
  if request.P > 1 then return end  -- else what the steps have declared is free
  code:line(".reg a_next, a_spare")
  code:line(".dsr a_send, a_receive, b_send, b_receive, b_out, b_in")
end

local function set_base(code, name, register) code:op("setdbase %s, %s", name, register) end

-- Loads the descriptors that the steps have done with; `load` loads those again.
function homeward.emit(code, request, load)
  if not wanted(request) then return end
  local places, P, width = request.plan.places, request.P, request.layers * request.P
  local words = request.c_bytes // 4
  local held, coming, due = "a_now", "a_next", "a_spare"  -- free now
  code:op("setd b_send, mem(%d, length=%d)", places.c, words)
  code:op("setd b_receive, mem(%d, length=%d)", places.c, words)
  code:op("setd b_out, fabout(home_tx)")
  code:op("setd b_in, fabin(home_rx)")
  code:op("setd a_send, c")
  code:op("setd a_receive, passing[0:%d]", request.Mt * request.Nt)
  code:op("mov32 %s, %d", held, places.c)
  code:op("mov32 %s, %d", coming, places.passing)
  code:op("mov32 %s, %d", due, P)
  code:op("mov32 step, 1")
  code:line("next_pass:")
  code:op("add32 at, step, x")  -- whose sum comes; the one before it goes
  code:op("blt at, %d, nothing_comes", P)
  code:op("bge at, %d, nothing_comes", width)
  set_base(code, "b_receive", coming)
  code:op("mov32 b_receive, b_in async home_receiving")
  code:line("nothing_comes:")
  code:op("beq x, 0, nothing_goes")
  code:op("ble at, %d, nothing_goes", P)
  code:op("bgt at, %d, nothing_goes", width)
  set_base(code, "b_send", held)
  code:op("mov32 b_out, b_send async home_sending")
  code:line("nothing_goes:")
  code:op("wait home_receiving")
  code:op("wait home_sending")
  code:op("bge x, %d, not_home", P)
  code:op("bne step, %s, not_home", due)
  set_base(code, "a_receive", coming)
  code:op("%s a_send, a_send, a_receive", request.element.sum.add)
  code:op("add32 %s, %s, %d", due, due, P)
  code:line("not_home:")
  code:op("mov32 %s, %s", held, coming)
  code:op("neg32 %s, %s", coming, coming)  -- the other one of two places
  code:op("add32 %s, %s, %d", coming, coming, 2 * places.passing + request.c_bytes)
  code:op("add32 step, step, 1")
  code:op("ble step, %d, next_pass", (request.layers - 1) * P)
  load()
end

-- Routes and parameters: neighbours use two colours in turn.
function homeward.add(layout, request, parameters)
  if not wanted(request) then return end
  local last, all = request.layers * request.P - 1, {0, request.P - 1}
  local colours = layout:colours("home", 2)
  for parity = 0, 1 do
    layout:route(colours[parity + 1], layout:rect({parity, last - 1, 2}, all), "east -> ramp")
    layout:route(colours[parity + 1], layout:rect({parity + 1, last, 2}, all), "ramp -> west")
  end
  parameters.home_rx = function(x) return colours[x % 2 + 1] end
  parameters.home_tx = function(x) return colours[(x + 1) % 2 + 1] end
end

return homeward
