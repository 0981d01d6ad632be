-- The program of a PE whose tiles travel round rings: cannon, meshgemm.
--
-- In each of P steps it multiplies the tiles that it has, while they move on to the next PE and the
-- next ones come. Its own tiles stay where they are if they are needed again.
local Code = require "support.code"
local barrier = require "gemm.lib.barrier"
local clocks = require "gemm.lib.clocks"
local held = require "gemm.lib.held"
local homeward = require "gemm.lib.homeward"
local multiply = require "gemm.lib.multiply"
local parts = require "gemm.lib.program_parts"

local ring_program = {}

-- Moves begin with four descriptors of memory, and four of the fabric that stay.
local kMoves = {
  {name = "a_send", fabric = "a_out", thread = "a_sending", tile = "a"},
  {name = "a_receive", fabric = "a_in", thread = "a_receiving", tile = "a"},
  {name = "b_send", fabric = "b_out", thread = "b_sending", tile = "b"},
  {name = "b_receive", fabric = "b_in", thread = "b_receiving", tile = "b"},
}

local function moves(request) return request.P > 1 and request.moves > 0 end

local function aligned(request, variant)
  return moves(request) and variant.rounds
end

local function words(request, tile) return request[tile .. "_bytes"] // 4 end

local function memory_text(request, move)
  return ("mem(%d, length=%d)"):format(request.plan.places[move.tile], words(request, move.tile))
end

local function declare(code, request, variant)
  parts.declare(code, request)
  barrier.declare(code, request)
  if not moves(request) then return end
  code:line(".reg a_next, a_spare, b_next, b_spare")
  for _, move in ipairs(kMoves) do
    code:line(".dsr %s, %s", move.name, move.fabric)
    held.declare(code, request, {move.name})
  end
  if aligned(request, variant) then code:line(".dsr align_out, align_in") end
  code:line(".microthread a_receiving, b_receiving, a_sending, b_sending")
end

local function load(code, request, variant)
  if not moves(request) then return end
  for _, move in ipairs(kMoves) do
    code:op("setd %s, %s", move.name, memory_text(request, move))
  end
  code:op("setd a_out, fabout(a_tx)")
  code:op("setd a_in, fabin(a_rx)")
  code:op("setd b_out, fabout(b_tx)")
  code:op("setd b_in, fabin(b_rx)")
  if aligned(request, variant) and variant.other_way then
    code:op("setd align_out, fabout(align_tx)")
    code:op("setd align_in, fabin(align_rx)")
  end
end

-- Registers say where the tiles are: of A by byte address, of B by element of b.
local function at_home(code, request)
  local places = request.plan.places
  code:op("mov32 a_now, %d", places.a)
  code:op("mov32 b_now, 0")
  if not moves(request) then return end
  local b_elements = request.b_bytes // request.element.input.bytes
  code:op("mov32 a_next, %d", places.a + request.a_bytes)
  code:op("mov32 b_next, %d", b_elements)
  local spare = request.a_parts == 3 and 2 or 0  -- the PE's own, if it is not needed again
  code:op("mov32 a_spare, %d", places.a + spare * request.a_bytes)
  code:op("mov32 b_spare, %d", spare * b_elements)
end

-- The tile that came is that of the next step; the one before it makes room, but not the PE's own.
local function rotate(code, tile)
  code:op("mov32 %s_now, %s_next", tile, tile)
  code:op("mov32 %s_next, %s_spare", tile, tile)
  code:op("mov32 %s_spare, %s_now", tile, tile)
end

local function set_base(code, request, move, register)
  if request.code == "measured" then held.fetch(code, move.name, move.name) end
  if move.tile == "a" then
    code:op("setdbase %s, %s", move.name, register)
    return
  end
  code:op("mul32 at, %s, %d", register, request.element.input.bytes)
  code:op("add32 at, at, %d", request.plan.places.b)
  code:op("setdbase %s, at", move.name)
end

-- A round of the alignment of A: out of a_now, into a_next. With code=measured a task joins the two.
local function align_once(code, request, variant)
  local out = variant.other_way and "align_out" or "a_out"
  local into = variant.other_way and "align_in" or "a_in"
  set_base(code, request, kMoves[1], "a_now")
  set_base(code, request, kMoves[2], "a_next")
  local measured = request.code == "measured"
  code:op("mov32 %s, a_send async a_sending%s", out, measured and " activate round_end" or "")
  code:op("mov32 a_receive, %s async a_receiving%s", into, measured and " unblock round_end" or "")
  if measured then
    code:op("end")
    code:line("task round_end:")
    code:op("block round_end")
    return
  end
  code:op("wait a_sending")
  code:op("wait a_receiving")
end

-- Brings A to where the first step needs it, in as many rounds as the parameter `rounds` says; with
-- code=measured all rows make P // 2, and keep what they have in the later ones.
local function align(code, request, variant)
  if not aligned(request, variant) then return end
  code:op("mov32 step, 0")
  code:line("next_round:")
  align_once(code, request, variant)
  code:op("add32 step, step, 1")
  if request.code == "measured" then
    code:op("bgt step, rounds, kept")
    rotate(code, "a")
    code:line("kept:")
    code:op("blt step, %d, next_round", request.P // 2)
  else
    rotate(code, "a")
    code:op("blt step, rounds, next_round")
  end
end

local function start_moves(code, request, ends)
  set_base(code, request, kMoves[1], "a_now")
  set_base(code, request, kMoves[2], "a_next")
  set_base(code, request, kMoves[3], "b_now")
  set_base(code, request, kMoves[4], "b_next")
  code:op("mov32 a_out, a_send async a_sending%s", ends[1])
  code:op("mov32 a_receive, a_in async a_receiving%s", ends[2])
  code:op("mov32 b_out, b_send async b_sending%s", ends[3])
  code:op("mov32 b_receive, b_in async b_receiving%s", ends[4])
end

local function wait_for_moves(code)
  for _, move in ipairs(kMoves) do code:op("wait %s", move.thread) end
end

-- Whether moves are made once or twice, the product of a step runs beside the last ones.
local function move_all_but_last(code, request)
  for _ = 2, request.moves do
    start_moves(code, request, {"", "", "", ""})
    wait_for_moves(code)
  end
end

-- Steps of code=best: waits instead of tasks, and the last tiles go no farther.
local function best_steps(code, request)
  code:line("next_step:")
  if moves(request) then
    code:op("beq step, %d, last_step", request.P - 1)
    move_all_but_last(code, request)
    start_moves(code, request, {"", "", "", ""})
    code:line("last_step:")
  end
  multiply.emit(code, request)
  if moves(request) then
    wait_for_moves(code)
    rotate(code, "a")
    rotate(code, "b")
  end
  barrier.emit(code, request)
  code:op("add32 step, step, 1")
  code:op("blt step, %d, next_step", request.P)
end

-- Steps of code=measured: four tasks join the ends of the moves, and the last tiles are sent on, too.
local function measured_steps(code, request)
  code:line("next_step:")
  if moves(request) then
    move_all_but_last(code, request)
    start_moves(code, request, {" activate a_end", " unblock a_end", " activate b_end",
                                " unblock b_end"})
  end
  multiply.emit(code, request)
  if moves(request) then
    code:op("end")
    for _, tile in ipairs{"a", "b"} do
      code:line("task %s_end:", tile)
      code:op("block %s_end", tile)
      code:op("%s both_end", tile == "a" and "activate" or "unblock")
    end
    code:line("task both_end:")
    code:op("block both_end")
    code:op("activate step_end")
    code:line("task step_end:")
    rotate(code, "a")
    rotate(code, "b")
  end
  barrier.emit(code, request)
  code:op("add32 step, step, 1")
  code:op("blt step, %d, next_step", request.P)
end

-- The text of a program. variant: {rounds = whether A is aligned, other_way = whether it then goes
-- against the direction of the steps}.
function ring_program.text(request, name, variant)
  local code = Code.new()
  local header = {}
  if moves(request) then
    header = {"a_tx: colour", "a_rx: colour", "b_tx: colour", "b_rx: colour"}
    if aligned(request, variant) then header[#header + 1] = "rounds: i32" end
    if aligned(request, variant) and variant.other_way then
      header[#header + 1] = "align_tx: colour"
      header[#header + 1] = "align_rx: colour"
    end
  end
  barrier.header(request, header)
  homeward.header(request, header)
  code:head(".program %s%s", name, #header > 0 and "(" .. table.concat(header, ", ") .. ")" or "")
  declare(code, request, variant)
  code:line("task main:")
  load(code, request, variant)
  if moves(request) and request.code == "measured" then
    for _, move in ipairs(kMoves) do
      held.store(code, request, move.name, move.name, memory_text(request, move))
    end
    if aligned(request, variant) then code:op("block round_end") end
    for _, task in ipairs{"a_end", "b_end", "both_end"} do code:op("block %s", task) end
  end
  parts.begin(code, request)
  at_home(code, request)
  align(code, request, variant)
  code:op("mark steps")
  code:op("mov32 step, 0")
  if request.code == "best" then best_steps(code, request) else measured_steps(code, request) end
  homeward.emit(code, request, function() load(code, request, variant) end)
  clocks.finish(code, request)
  return code:text()
end

ring_program.moves, ring_program.aligned = moves, aligned

return ring_program
