-- Lines of a program, written one by one, and the arithmetic on node numbers that programs share.
local format, concat = string.format, table.concat

local Code = {}
Code.__index = Code

local code = {}

function code.new() return setmetatable({lines = {}}, Code) end

-- A line of the program's head or a label; `then` come instructions, further in.
function Code:line(text, ...) self.lines[#self.lines + 1] = format("  " .. text, ...) end

function Code:op(text, ...) self.lines[#self.lines + 1] = format("    " .. text, ...) end

-- What begins at the left margin: the header.
function Code:head(text, ...) self.lines[#self.lines + 1] = format(text, ...) end

function Code:text() return concat(self.lines, "\n") .. "\n" end

-- register = G(register).
function Code:encode(register, scratch)
  self:op("slr32 %s, %s, 1", scratch, register)
  self:op("xor32 %s, %s, %s", register, register, scratch)
end

-- register = G^-1(register), of d bits.
function Code:decode(register, scratch, d)
  for _, shift in ipairs{1, 2, 4, 8} do
    if shift >= d then return end
    self:op("slr32 %s, %s, %d", scratch, register, shift)
    self:op("xor32 %s, %s, %s", register, register, scratch)
  end
end

-- register = sh^places(source): d bits turned to the left.
function Code:rotate(register, source, places, scratch, d)
  if places % d == 0 then
    self:op("mov32 %s, %s", register, source)
    return
  end
  self:op("slr32 %s, %s, %d", scratch, source, d - places)
  self:op("sll32 %s, %s, %d", register, source, places)
  self:op("or32 %s, %s, %s", register, register, scratch)
  self:op("and32 %s, %s, %d", register, register, (1 << d) - 1)
end

-- register = the block that lies in this node, in an order of blocks. The node has the number `node`, a
-- parameter on a mesh; on a cube that is x.
function Code:own_block(register, scratch, request, order)
  self:op("mov32 %s, %s", register, request.topology == "mesh" and "node" or "x")
  if order == "gray" then self:decode(register, scratch, request.d) end
end

return code
