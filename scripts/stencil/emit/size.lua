-- The bytes that the text of a program takes as code, at most: instructions, and what they share, literals, descriptors and values that
-- differ from PE to PE. The assembler counts them; this is for plans, which choose blocks before there is a program.
local program = require "stencil.emit.program"

local size = {}

local kWord, kDescriptor, kDimension = 4, 16, 8
local kBranches = {bne = true, beq = true, blt = true, bge = true, call = true}
local kMostSmall = 8191  -- an integer up to which an instruction holds it

-- Notes what a text shares with equal ones, of so many bytes.
local function share(shared, text, bytes)
  shared[text] = math.max(shared[text] or 0, bytes)
end

-- Returns the bytes of loads of an instruction's literal operands, mem(...), fabin(...) and fabout(...), and the rest of its text.
local function literals(operands, shared)
  local bytes = 0
  local rest = operands:gsub("%f[%a](%a+)(%b())", function(name, body)
    if name == "save" then name, body = "mem", body:match("mem(%b())") end
    if name ~= "mem" and name ~= "fabin" and name ~= "fabout" then return nil end
    bytes = bytes + kWord
    local dimensions = select(2, (body:match("length=(%b[])") or ""):gsub(",", ""))
    share(shared, name .. body, kDescriptor + dimensions * kDimension)
    local address = name == "mem" and body:match("^%((%a+),")
    if address then bytes = bytes + kWord end  -- a register with the address is set after the load
    if body:find("[%?]") then share(shared, "of PE " .. body, 2 * kWord) end
    return "d"
  end)
  return bytes, rest
end

-- Notes the numbers and expressions among the operands of an instruction, of a branch those that are small too: the number of steps
-- is to change no plan. Returns the bytes of loads of values in memory.
local function values(rest, shared, is_branch)
  local bytes = 0
  if rest:find("[%?]") then
    share(shared, "of PE " .. rest:gsub("^[^%(]*", ""):gsub(",[^,%)]*$", ""), kWord)
    return bytes
  end
  for part in (rest .. ","):gmatch("%s*([^,]*),") do
    local number = tonumber(part)
    if number and (is_branch or not (math.type(number) == "integer" and math.abs(number) <= kMostSmall)) then
      share(shared, is_branch and "branch" or "number " .. part, kWord)
    elseif not number and part:find("^value_%d+$") or part:find("^number_%d+$") or part:find("%[") then
      bytes = bytes + kWord
    end
  end
  return bytes
end

-- Returns the bytes of a line of code; what it shares with others is noted in `shared`.
local function line_bytes(line, shared)
  local name, operands = line:match("^%s+(%l[%w]*)%s*(.*)$")
  if not name or line:find(":%s*$") then return 0 end
  local of_literals, rest = literals(operands, shared)
  local of_values = values(rest, shared, kBranches[name])
  local is_long = kBranches[name] or name:sub(1, 1) == "f" or name == "map" or operands:find("fabout", 1, true)
  return (is_long and 2 * kWord or kWord) + of_literals + of_values
end

local kShare = 1 / 64  -- more, for numbers that the assembler holds otherwise than it is known here

local function bytes_of(text)
  local bytes, shared = 0, {}
  local is_code = false
  for line in text:gmatch("[^\n]+") do
    is_code = is_code or line:find("^%s*task ") ~= nil
    if is_code then bytes = bytes + line_bytes(line, shared) end
  end
  for _, own in pairs(shared) do bytes = bytes + own end
  return bytes + math.ceil(bytes * kShare)
end

-- Returns the bytes of the code of PEs without sources and receivers, at most; `placed`: a step whose regions have their addresses.
function size.of_cells(placed)
  local coordinates = {x = {}, y = {}}
  for at = 0, placed.shape.width - 1 do coordinates.x[at + 1] = at end
  for at = 0, placed.shape.height - 1 do coordinates.y[at + 1] = at end
  return bytes_of((program.text(placed, "cells", {injections = {}, recordings = {}, coordinates = coordinates})))
end

return size
