-- Lines of a program, written one by one.
local format, concat = string.format, table.concat

local Code = {}
Code.__index = Code

-- `methods`, a table with the metatable of Code, adds to what code can say.
function Code.new(methods)
  return setmetatable({lines = {}, declared = {}, scope = ""}, methods or Code)
end

-- Names after a $ belong to a phase of a program: they get the scope in front.
local function add(self, indent, text, ...)
  self.lines[#self.lines + 1] = indent .. format(text, ...):gsub("%$", self.scope)
end

-- A declaration, a task or a label.
function Code:line(text, ...) add(self, "  ", text, ...) end

function Code:op(text, ...) add(self, "    ", text, ...) end

-- What begins at the left margin: the header.
function Code:head(text, ...) add(self, "", text, ...) end

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

return Code
