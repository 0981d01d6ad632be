-- The program of a PE that first gets all tiles of its row of A and of its column of B, then
-- multiplies: allgather. Tiles go round rings, and every PE keeps what passes: 2 P tiles.
local Code = require "support.code"
local barrier = require "gemm.lib.barrier"
local clocks = require "gemm.lib.clocks"
local held = require "gemm.lib.held"
local multiply = require "gemm.lib.multiply"
local parts = require "gemm.lib.program_parts"

local gather_program = {}

local kTiles = {"a", "b"}

local function moves(request) return request.P > 1 and request.moves > 0 end

local function declare(code, request)
  parts.declare(code, request)
  barrier.declare(code, request)
  if not moves(request) then return end
  code:line(".reg a_from, b_from, turn")
  code:line(".microthread a_receiving, b_receiving, a_sending, b_sending")
  for _, tile in ipairs(kTiles) do
    code:line(".dsr %s_send, %s_receive, %s_out, %s_in", tile, tile, tile, tile)
    held.declare(code, request, {tile})
  end
end

local function memory_text(request, tile)
  return ("mem(%d, length=%d)"):format(request.plan.places[tile], request[tile .. "_bytes"] // 4)
end

local function load(code, request)
  if not moves(request) then return end
  for _, tile in ipairs(kTiles) do
    if request.code == "best" then
      for _, way in ipairs{"send", "receive"} do
        code:op("setd %s_%s, %s", tile, way, memory_text(request, tile))
      end
    end
    held.store(code, request, tile .. "_send", tile, memory_text(request, tile))
    code:op("setd %s_out, fabout(%s_tx)", tile, tile)
    code:op("setd %s_in, fabin(%s_rx)", tile, tile)
  end
end

-- P - 1 rounds: what came in the last one is sent on, and the next one lands after it.
local function gather(code, request)
  if not moves(request) then return end
  for _, tile in ipairs(kTiles) do code:op("mov32 %s_from, %d", tile, request.plan.places[tile]) end
  code:op("mov32 step, 1")
  code:line("next_round:")
  code:op("mov32 turn, %d", request.moves)
  code:line("again:")
  for _, tile in ipairs(kTiles) do
    if request.code == "measured" then
      held.fetch(code, tile .. "_send", tile)
      held.fetch(code, tile .. "_receive", tile)
    end
    code:op("add32 at, %s_from, %d", tile, request[tile .. "_bytes"])
    code:op("setdbase %s_send, %s_from", tile, tile)
    code:op("setdbase %s_receive, at", tile)
    code:op("mov32 %s_out, %s_send async %s_sending", tile, tile, tile)
    code:op("mov32 %s_receive, %s_in async %s_receiving", tile, tile, tile)
  end
  for _, tile in ipairs(kTiles) do
    code:op("wait %s_sending", tile)
    code:op("wait %s_receiving", tile)
  end
  code:op("sub32 turn, turn, 1")
  code:op("bgt turn, 0, again")
  for _, tile in ipairs(kTiles) do
    code:op("add32 %s_from, %s_from, %d", tile, tile, request[tile .. "_bytes"])
  end
  code:op("add32 step, step, 1")
  code:op("blt step, %d, next_round", request.P)
end

-- Tile number s of A is number s + first of B, round the ring.
local function products(code, request)
  local size = request.b_bytes // request.element.input.bytes
  code:op("mov32 a_now, %d", request.plan.places.a)
  code:op("mov32 b_now, %s", moves(request) and "first * " .. size or "0")
  code:op("mov32 step, 0")
  code:line("next_step:")
  multiply.emit(code, request)
  if moves(request) then
    code:op("add32 a_now, a_now, %d", request.a_bytes)
    code:op("add32 b_now, b_now, %d", size)
    code:op("blt b_now, %d, around", request.P * size)
    code:op("mov32 b_now, 0")
    code:line("around:")
  end
  barrier.emit(code, request)
  code:op("add32 step, step, 1")
  code:op("blt step, %d, next_step", request.P)
end

function gather_program.text(request, name)
  local code, header = Code.new(), {}
  if moves(request) then
    header = {"a_tx: colour", "a_rx: colour", "b_tx: colour", "b_rx: colour", "first: i32"}
  end
  barrier.header(request, header)
  code:head(".program %s%s", name, #header > 0 and "(" .. table.concat(header, ", ") .. ")" or "")
  declare(code, request)
  code:line("task main:")
  load(code, request)
  parts.begin(code, request)
  gather(code, request)
  code:op("mark steps")
  products(code, request)
  clocks.finish(code, request)
  return code:text()
end

return gather_program
