-- Code of the nodes of a cube: the header of their programs, and arithmetic on node numbers.
local Code = require "support.code"

local NodeCode = setmetatable({}, Code)
NodeCode.__index = NodeCode

function NodeCode.new() return Code.new(NodeCode) end

-- The header of a program that passes words on along a cycle; on a mesh its node has a number.
function NodeCode:ring_head(request)
  local node = request.topology == "mesh" and ", node: i32" or ""
  self:head(".program node(tx: colour, rx: colour%s)", node)
end

-- register = G(register).
function NodeCode:encode(register, scratch)
  self:op("slr32 %s, %s, 1", scratch, register)
  self:op("xor32 %s, %s, %s", register, register, scratch)
end

-- register = G^-1(register), of d bits.
function NodeCode:decode(register, scratch, d)
  for _, shift in ipairs{1, 2, 4, 8} do
    if shift >= d then return end
    self:op("slr32 %s, %s, %d", scratch, register, shift)
    self:op("xor32 %s, %s, %s", register, register, scratch)
  end
end

-- register = sh^places(source): d bits turned to the left.
function NodeCode:rotate(register, source, places, scratch, d)
  if places % d == 0 then
    self:op("mov32 %s, %s", register, source)
    return
  end
  self:op("slr32 %s, %s, %d", scratch, source, d - places)
  self:op("sll32 %s, %s, %d", register, source, places)
  self:op("or32 %s, %s, %s", register, register, scratch)
  self:op("and32 %s, %s, %d", register, register, (1 << d) - 1)
end

-- register = the block that lies in this node, in an order of blocks. The node has the number
-- `node`, a parameter on a mesh; on a cube that is x. In a subcube the bits of x from request.first
-- on count.
function NodeCode:own_block(register, scratch, request, order)
  self:op("mov32 %s, %s", register, request.topology == "mesh" and "node" or "x")
  if request.first then
    self:op("slr32 %s, %s, %d", register, register, request.first)
    self:op("and32 %s, %s, %d", register, register, request.nodes - 1)
  end
  if order == "gray" then self:decode(register, scratch, request.d) end
end

return NodeCode
