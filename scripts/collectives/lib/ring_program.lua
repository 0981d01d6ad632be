-- The code of a ring allreduce: one program for all PEs. x has P blocks of `block` elements.
--
-- In round s the PE at place p of the ring sends block s - p (mod P) and receives block s - p + 1,
-- which it sends in the next round. So blocks are walked upwards round a ring: one descriptor for
-- what is sent, one for what is received, each of which continues where it ended. In the first P - 1
-- rounds what comes is added, in the others it replaces what is there.
-- Parameters: rx, tx: colours; place: that in the ring.
local format, concat = string.format, table.concat

local ring_program = {}

local kPlain = [[
.program ring(rx: colour, tx: colour, place: i32)
  .%s x[P * block] exported
  .reg left
  .dsr to, out, into, from
  .microthread sending
  task main:
    mark begin
    setd to, fabout(tx)
    setd out, save(circular(x, length=block))
    setd into, save(circular(x, length=block))
    setd from, fabin(rx)
    setdpos out, (P - place) %% P * block
    setdpos into, (P - place + 1) %% P * block]]

-- P - 1 rounds one after the other: each sends when all that it sends has come.
local function rounds(label, element, receive)
  return format([[
    mov32 left, P - 1
  %s:
    %s to, out async sending
    sub32 left, left, 1
    %s
    wait sending
    bne left, 0, %s]], label, element.move, receive, label)
end

local function plain(element)
  return concat({format(kPlain, element.name),
                 rounds("scatter", element, element.combine .. " into, into, from"),
                 rounds("gather", element, element.move .. " into, from"),
                 "    mark end"}, "\n")
end

-- Rounds that overlap: a block is two parts, of which one is passed on while the other one arrives.
-- While a part is on its way to the next PE, that PE receives it: everybody starts to receive part
-- k + 1 before it waits for the end of its own part k + 1. Receive, add and send as one instruction
-- would store nothing: the fabric would have to hold a block of every PE, and a ring with blocks
-- longer than its queues would stand still.
local kOverlapped = [[
.program ring_overlapped(rx: colour, tx: colour, place: i32)
  .%s x[P * block] exported
  .reg left, receive_length, send_length
  .dsr to, out, into, from
  .microthread receiving, sending
  task main:
    mark begin
    setd to, fabout(tx)
    setd out, save(circular(x, length=block - block / 2))
    setd into, save(circular(x, length=block - block / 2))
    setd from, fabin(rx)
    setdpos out, (P - place) %% P * block
    setdpos into, (P - place + 1) %% P * block
]]

-- Two of the lines of an overlapped program: the next part of the other length, if lengths differ.
local function part(lines, block, descriptor, length)
  if block % 2 == 0 then return end
  lines[#lines + 1] = format("    sub32 %s, block, %s", length, length)
  lines[#lines + 1] = format("    setdlen %s, %s", descriptor, length)
end

-- Starts to receive the next part, then to send the next one.
local function next_part(lines, block, receive, send)
  lines[#lines + 1] = "    wait receiving"
  part(lines, block, "into", "receive_length")
  lines[#lines + 1] = receive
  if not send then return end
  lines[#lines + 1] = "    wait sending"
  part(lines, block, "out", "send_length")
  lines[#lines + 1] = send
end

local function overlapped(element, block)
  local lines = {}
  local function add(text) lines[#lines + 1] = "    " .. text end
  local send = format("    %s to, out async sending", element.move)
  local combine = format("    %s into, into, from async receiving", element.combine)
  local replace = format("    %s into, from async receiving", element.move)
  if block % 2 == 1 then
    add("mov32 receive_length, block - block / 2")
    add("mov32 send_length, block - block / 2")
  end
  lines[#lines + 1] = send
  lines[#lines + 1] = combine
  add("wait sending")
  part(lines, block, "out", "send_length")
  lines[#lines + 1] = send
  for _, phase in ipairs{{"scatter", combine}, {"gather", replace}} do
    add("mov32 left, 2 * P - 3")
    lines[#lines + 1] = format("  %s:", phase[1])
    next_part(lines, block, phase[2], send)
    add("sub32 left, left, 1")
    add(format("bne left, 0, %s", phase[1]))
  end
  next_part(lines, block, replace)
  add("wait receiving")
  add("mark end")
  return format(kOverlapped, element.name) .. concat(lines, "\n")
end

-- Its name and text; the constants P and block belong to the layout. A block of one element has no
-- parts.
function ring_program.make(element, block, overlap)
  if overlap and block > 1 then return "ring_overlapped", overlapped(element, block) end
  return "ring", plain(element)
end

return ring_program
