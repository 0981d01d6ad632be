-- Lines of a program, written one by one, and the arithmetic on node numbers that programs share.
local format, concat = string.format, table.concat

local Code = {}
Code.__index = Code

local code = {}

function code.new() return setmetatable({lines = {}, declared = {}, scope = ""}, Code) end

-- Names that stand behind a $ belong to a phase of a program: they get the scope in front.
local function add(self, indent, text, ...)
  self.lines[#self.lines + 1] = indent .. format(text, ...):gsub("%$", self.scope)
end

-- A declaration, a task or a label.
function Code:line(text, ...) add(self, "  ", text, ...) end

function Code:op(text, ...) add(self, "    ", text, ...) end

-- What begins at the left margin: the header.
function Code:head(text, ...) add(self, "", text, ...) end

-- The header of a program that passes words on along a cycle; on a mesh its node has a number.
function Code:ring_head(request)
  local node = request.topology == "mesh" and ", node: i32" or ""
  self:head(".program node(tx: colour, rx: colour%s)", node)
end

-- Declares a name that several phases share, once: kind is dsr, microthread, ...
function Code:declare(kind, name)
  if self.declared[name] then return end
  self.declared[name] = true
  self:line(".%s %s", kind, name)
end

-- Names for registers number `first` and following ones; another phase may name them otherwise.
function Code:registers(first, names)
  for k, name in ipairs(names) do
    self:declare("reg", format("%s = r%d", name, first + k - 1))
  end
end

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

-- register = the block that lies in this node, in an order of blocks. The node has the number
-- `node`, a parameter on a mesh; on a cube that is x. In a subcube the bits of x from request.first
-- on count.
function Code:own_block(register, scratch, request, order)
  self:op("mov32 %s, %s", register, request.topology == "mesh" and "node" or "x")
  if request.first then
    self:op("slr32 %s, %s, %d", register, register, request.first)
    self:op("and32 %s, %s, %d", register, register, request.nodes - 1)
  end
  if order == "gray" then self:decode(register, scratch, request.d) end
end

return code
