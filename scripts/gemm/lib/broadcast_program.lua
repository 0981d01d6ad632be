-- The program of a PE to which tiles are broadcast: summa, summa-multicast.
--
-- In step k column k of PEs sends its tiles of A along the rows and row k those of B along the
-- columns. The route of a colour depends on where its sender is, so every PE writes it anew for each
-- step. After the words of a tile goes a control wavelet that suspends the colour in each router on
-- its way; a PE writes the next route when that has come by. Words of a sender that is ahead wait in
-- a router that is suspended, and move on by the new route.
--
--   summa            one colour for each axis; a step waits for both tiles, then multiplies
--   summa-multicast  two for each axis, in turn: the tiles of the next step travel meanwhile
local Code = require "support.code"
local barrier = require "gemm.lib.barrier"
local clocks = require "gemm.lib.clocks"
local held = require "gemm.lib.held"
local multiply = require "gemm.lib.multiply"
local parts = require "gemm.lib.program_parts"

local broadcast_program = {}

-- The routes of a colour at a place on a line: as the sender, and from senders before and behind it.
local kRoutes = {
  a = {first = {own = "ramp -> east", behind = "east -> ramp"},
       middle = {own = "ramp -> east, west", before = "west -> east, ramp",
                 behind = "east -> west, ramp"},
       last = {own = "ramp -> west", before = "west -> ramp"}},
  b = {first = {own = "ramp -> south", behind = "south -> ramp"},
       middle = {own = "ramp -> south, north", before = "north -> south, ramp",
                 behind = "south -> north, ramp"},
       last = {own = "ramp -> north", before = "north -> ramp"}},
}
broadcast_program.routes = kRoutes

local kCoordinate = {a = "x", b = "y"}

local function moves(request) return request.P > 1 and request.moves > 0 end
broadcast_program.moves = moves

-- The colours of a tile, one or two.
function broadcast_program.colours(request, tile)
  if request.ahead then return {tile .. "_even", tile .. "_odd"} end
  return {tile .. "_all"}
end

local function declare(code, request, places)
  parts.declare(code, request)
  barrier.declare(code, request)
  if not moves(request) then return end
  code:line(".reg pending, coming")
  for _, tile in ipairs{"a", "b"} do
    code:line(".dsr %s_tile", tile)
    held.declare(code, request, {tile .. "_tile"})
    code:line(".microthread %s_receiving", tile)
    for _, side in ipairs{"own", "before", "behind"} do
      local route = kRoutes[tile][places[tile]][side]
      if route then code:line(".routing %s_%s = [%s]", tile, side, route) end
    end
    for _, colour in ipairs(broadcast_program.colours(request, tile)) do
      code:line(".dsr %s_in, %s_out", colour, colour)
    end
  end
end

-- The words of a tile, wherever it is; with moves=2 they go twice.
local function memory_text(request, tile)
  local words = request[tile .. "_bytes"] // 4
  local length = request.moves == 1 and words
                 or ("[%d, %d], stride=[0, 1]"):format(request.moves, words)
  return ("mem(%d, length=%s)"):format(request.plan.places[tile], length)
end

local function load(code, request)
  if not moves(request) then return end
  for _, tile in ipairs{"a", "b"} do
    if request.code == "best" then
      code:op("setd %s_tile, %s", tile, memory_text(request, tile))
    end
    held.store(code, request, tile .. "_tile", tile .. "_tile", memory_text(request, tile))
    for _, colour in ipairs(broadcast_program.colours(request, tile)) do
      code:op("setd %s_in, fabin(%s)", colour, colour)
      code:op("setd %s_out, fabout(%s)", colour, colour)
    end
  end
end

-- Writes the route of a colour for the step `coming`, and receives unless the tile is the PE's own.
local function open(code, request, tile, number, colour, place)
  local at, sides = kCoordinate[tile], kRoutes[tile][place]
  code.scope = colour .. "_"
  code:op("beq coming, %s, $own", at)
  if sides.before and sides.behind then code:op("bgt coming, %s, $behind", at) end
  for _, side in ipairs{"before", "behind"} do
    if sides[side] then
      code:line("$%s:", side)
      code:op("setroute %s, %s_%s", colour, tile, side)
      if sides.before and sides.behind and side == "before" then code:op("jmp $receive") end
    end
  end
  code:line("$receive:")
  code:op("teardown_exit %s", colour)
  code:op("setdbase %s_tile, %d", tile,
          request.plan.places[tile] + number * request[tile .. "_bytes"])
  code:op("mov32 %s_tile, %s_in async %s_receiving", tile, colour, tile)
  code:op("jmp $opened")
  code:line("$own:")
  code:op("setroute %s, %s_own", colour, tile)
  code:op("teardown_exit %s", colour)
  code:line("$opened:")
  code.scope = ""
end

local function suspend(code, colour)
  code:op("mov32 fabout(%s, control), control(31, ignore(teardown))", colour)
end

-- Sends the PE's own tile if it is its turn: only now, when both colours are open. A PE that
-- multiplies meanwhile must not wait for PEs that are late; a task sends the control wavelet then.
local function send(code, request, tile, colour)
  code.scope = colour .. "_"
  code:op("bne coming, %s, $sent", kCoordinate[tile])
  code:op("setdbase %s_tile, %d", tile, request.plan.places[tile])
  if request.ahead then
    code:op("mov32 %s_out, %s_tile async %s_receiving activate %s_sent", colour, tile, tile, colour)
  else
    code:op("mov32 %s_out, %s_tile", colour, tile)
    suspend(code, colour)
  end
  code:line("$sent:")
  code.scope = ""
end

-- The moves of the step `coming` by the colours number 1 or 2.
local function move(code, request, number, places)
  if request.code == "measured" then
    for _, tile in ipairs{"a", "b"} do held.fetch(code, tile .. "_tile", tile .. "_tile") end
  end
  code:op("mov32 pending, 2")
  for _, tile in ipairs{"a", "b"} do
    open(code, request, tile, number, broadcast_program.colours(request, tile)[number],
         places[tile])
  end
  for _, tile in ipairs{"a", "b"} do
    send(code, request, tile, broadcast_program.colours(request, tile)[number])
  end
end

-- Both sets of colours, by the parity of the step.
local function move_next(code, request, places)
  if not request.ahead then return move(code, request, 1, places) end
  code:op("and32 at, coming, 1")
  code:op("bne at, 0, odd_moves")
  move(code, request, 1, places)
  code:op("jmp moving")
  code:line("odd_moves:")
  move(code, request, 2, places)
  code:line("moving:")
end

-- Where the tiles of the step are: at home if the PE is their sender, else in the buffer.
local function find_tiles(code, request)
  local plan, bytes = request.plan.places, request.element.input.bytes
  local function find(tile, register, home, size)
    code.scope = tile .. "_"
    code:op("mov32 %s, %d", register, home)
    code:op("beq step, %s, $found", kCoordinate[tile])
    if request.ahead then
      code:op("and32 at, step, 1")
      code:op("mul32 at, at, %d", size)
      code:op("add32 %s, at, %d", register, home + size)
    else
      code:op("mov32 %s, %d", register, home + size)
    end
    code:line("$found:")
    code.scope = ""
  end
  find("a", "a_now", plan.a, request.a_bytes)
  find("b", "b_now", 0, request.b_bytes // bytes)
end

-- A task for each colour that was suspended; the last one of a step continues.
local function teardown_tasks(code, request)
  code:op("end")
  for _, tile in ipairs{"a", "b"} do
    for _, colour in ipairs(broadcast_program.colours(request, tile)) do
      if request.ahead then
        code:line("task %s_sent:", colour)
        suspend(code, colour)
      end
      code:line("task %s_closed teardown %s:", colour, colour)
      code:op("sub32 pending, pending, 1")
      code:op("beq pending, 0, closed")
    end
  end
  code:op("end")
  code:line("closed:")
  for _, tile in ipairs{"a", "b"} do code:op("wait %s_receiving", tile) end
end

-- Each step waits for its tiles.
local function steps_in_turn(code, request, places)
  code:op("mov32 step, 0")
  code:line("next_step:")
  code:op("mov32 coming, step")
  move_next(code, request, places)
  teardown_tasks(code, request)
  find_tiles(code, request)
  multiply.emit(code, request)
  barrier.emit(code, request, places.hubs)
  code:op("add32 step, step, 1")
  code:op("blt step, %d, next_step", request.P)
end

-- While a step multiplies, the tiles of the next one come.
local function steps_ahead(code, request, places)
  code:op("mov32 step, -1")
  code:op("mov32 coming, 0")
  code:line("next_step:")
  move_next(code, request, places)
  code:op("blt step, 0, multiplied")
  code:line("last_step:")
  find_tiles(code, request)
  multiply.emit(code, request)
  barrier.emit(code, request, places.hubs)
  code:op("bge coming, %d, over", request.P)
  code:line("multiplied:")
  teardown_tasks(code, request)
  code:op("add32 step, step, 1")
  code:op("add32 coming, coming, 1")
  code:op("blt coming, %d, next_step", request.P)
  code:op("jmp last_step")
  code:line("over:")
end

local function steps_alone(code, request, places)
  code:op("mov32 a_now, %d", request.plan.places.a)
  code:op("mov32 b_now, 0")
  code:op("mov32 step, 0")
  code:line("next_step:")
  multiply.emit(code, request)
  barrier.emit(code, request, places.hubs)
  code:op("add32 step, step, 1")
  code:op("blt step, %d, next_step", request.P)
end

-- The text of a program. places: {a = where the PE is on its row: first, middle or last, b = on its
-- column, hubs = as of barrier.emit}.
function broadcast_program.text(request, name, places)
  local code = Code.new()
  local header = {}
  barrier.header(request, header)
  code:head(".program %s%s", name, #header > 0 and "(" .. table.concat(header, ", ") .. ")" or "")
  declare(code, request, places)
  code:line("task main:")
  load(code, request)
  parts.begin(code, request)
  code:op("mark steps")
  if not moves(request) then
    steps_alone(code, request, places)
  elseif request.ahead then
    steps_ahead(code, request, places)
  else
    steps_in_turn(code, request, places)
  end
  clocks.finish(code, request)
  return code:text()
end

return broadcast_program
