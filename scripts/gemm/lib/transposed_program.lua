-- The program of a PE of meshgemm-t, A B^T: tiles of A stay, those of B go round the rings of the
-- columns, and in each step the products of a row of PEs are summed up in one of them.
--
-- The sum for a PE comes to it along its row from both ends, a chain on each side: what comes is
-- added and sent on at once. In step s it is for the PE with number v + s, v the position of the row.
local Code = require "support.code"
local barrier = require "gemm.lib.barrier"
local clocks = require "gemm.lib.clocks"
local held = require "gemm.lib.held"
local multiply = require "gemm.lib.multiply"
local parts = require "gemm.lib.program_parts"

local transposed_program = {}

local kHeader = {"b_tx: colour", "b_rx: colour", "east_tx: colour", "east_rx: colour",
                 "west_tx: colour", "west_rx: colour", "first: i32"}

local function moves(request) return request.P > 1 and request.moves > 0 end

local function declare(code, request)
  parts.declare(code, request)
  barrier.declare(code, request)
  code:line(".dsr sum, total")
  if not moves(request) then return end
  code:line(".reg b_next, b_spare, target")
  code:line(".dsr b_send, b_receive, b_out, b_in, east_out, east_in, west_out, west_in")
  code:line(".microthread b_receiving, b_sending")
  held.declare(code, request, {"b"})
end

local function memory_text(request)
  return ("mem(%d, length=%d)"):format(request.plan.places.b, request.b_bytes // 4)
end

local function load(code, request)
  code:op("setd sum, c")
  code:op("setd total, result")
  if not moves(request) then return end
  local packed = request.accumulate == "f16" and ", packed" or ""
  if request.code == "best" then
    for _, name in ipairs{"b_send", "b_receive"} do code:op("setd %s, %s", name, memory_text(request)) end
  end
  held.store(code, request, "b_send", "b", memory_text(request))
  code:op("setd b_out, fabout(b_tx)")
  code:op("setd b_in, fabin(b_rx)")
  for _, way in ipairs{"east", "west"} do
    code:op("setd %s_out, fabout(%s_tx%s)", way, way, packed)
    code:op("setd %s_in, fabin(%s_rx%s)", way, way, packed)
  end
end

local function at_home(code, request)
  code:op("mov32 a_now, %d", request.plan.places.a)
  code:op("mov32 b_now, 0")
  if not moves(request) then return end
  local elements = request.b_bytes // request.element.input.bytes
  code:op("mov32 b_next, %d", elements)
  code:op("mov32 b_spare, %d", request.b_parts == 3 and 2 * elements or 0)
  code:op("mov32 target, first")
end

local function set_base(code, request, name, register)
  code:op("mul32 at, %s, %d", register, request.element.input.bytes)
  code:op("add32 at, at, %d", request.plan.places.b)
  code:op("setdbase %s, at", name)
end

-- The tile of B is sent on, and the next one comes. With code=best the last ones stay.
local function start_move(code, request)
  if request.code == "best" then
    code:op("beq step, %d, last_step", request.P - 1)
  else
    held.fetch(code, "b_send", "b")
    held.fetch(code, "b_receive", "b")
  end
  set_base(code, request, "b_send", "b_now")
  set_base(code, request, "b_receive", "b_next")
  for number = 1, request.moves do
    if number > 1 then
      code:op("wait b_sending")
      code:op("wait b_receiving")
    end
    code:op("mov32 b_out, b_send async b_sending")
    code:op("mov32 b_receive, b_in async b_receiving")
  end
  if request.code == "best" then code:line("last_step:") end
end

-- A side of the row: `way` is that towards the target, `last` the PE at the end, who only sends.
local function chain(code, request, way, last)
  local element = request.element.sum
  code:line("$%s:", way)
  code:op("beq x, %d, $%s_end", last, way)
  code:op("%s %s_out, sum, %s_in", element.add, way, way)
  code:op("jmp $summed")
  code:line("$%s_end:", way)
  code:op("%s %s_out, sum", element.move, way)
  code:op("jmp $summed")
end

-- Sums up the products of the row in the PE with the number in `target`.
local function reduce(code, request, number)
  local element, last = request.element.sum, request.P - 1
  code.scope = "reduce" .. number .. "_"
  code:op("blt x, target, $east")
  code:op("bgt x, target, $west")
  code:op("%s total, sum", element.move)
  code:op("beq x, 0, $from_behind")
  code:op("%s total, total, east_in", element.add)
  code:line("$from_behind:")
  code:op("beq x, %d, $summed", last)
  code:op("%s total, total, west_in", element.add)
  code:op("jmp $summed")
  chain(code, request, "east", 0)
  chain(code, request, "west", last)
  code:line("$summed:")
  code.scope = ""
end

local function rotate(code, request)
  code:op("wait b_sending")
  code:op("wait b_receiving")
  code:op("mov32 b_now, b_next")
  code:op("mov32 b_next, b_spare")
  code:op("mov32 b_spare, b_now")
  code:op("add32 target, target, 1")
  code:op("blt target, %d, in_row", request.P)
  code:op("mov32 target, 0")
  code:line("in_row:")
end

local function steps(code, request)
  code:op("mov32 step, 0")
  code:line("next_step:")
  if moves(request) then start_move(code, request) end
  code:op("%s sum, 0.0", request.element.sum.move)
  multiply.emit(code, request)
  if moves(request) then
    for number = 1, request.moves do reduce(code, request, number) end
    rotate(code, request)
  else
    code:op("%s total, sum", request.element.sum.move)
  end
  barrier.emit(code, request)
  code:op("add32 step, step, 1")
  code:op("blt step, %d, next_step", request.P)
end

function transposed_program.text(request, name)
  local code, header = Code.new(), {}
  if moves(request) then table.move(kHeader, 1, #kHeader, 1, header) end
  barrier.header(request, header)
  code:head(".program %s%s", name, #header > 0 and "(" .. table.concat(header, ", ") .. ")" or "")
  declare(code, request)
  code:line("task main:")
  load(code, request)
  parts.begin(code, request)
  code:op("mark steps")
  at_home(code, request)
  steps(code, request)
  clocks.finish(code, request)
  return code:text()
end

transposed_program.moves = moves

return transposed_program
