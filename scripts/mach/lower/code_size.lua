-- How much memory a program takes beside its data, at most. The assembler counts exactly, but only when
-- all is written; this tells before anything runs. An instruction takes a word; a branch two, and so
-- one on descriptors or a microthread; a constant that it cannot hold a word more; a descriptor 16
-- bytes, with a ring or an index 24; parameters and colours a word each; a task ends with a word of its own.
local find, gmatch, match = string.find, string.gmatch, string.match

local code_size = {}

local kWord, kDescriptor, kNames = 4, 24, 96
local kShort = {setdbase = true, setdlen = true, setdstride = true, setdpos = true}  -- of one word

local function descriptors_of(text)
  local names = {}
  for list in gmatch(text, "%.dsr ([^\n]*)") do
    for name in gmatch(list, "[%w_]+") do names[name] = true end
  end
  return names
end

local function is_long(instruction, descriptors)
  local mnemonic, operands = match(instruction, "^(%w+)%s*(.*)$")
  if find(mnemonic, "^f?b%l+$") or find(operands, " async ", 1, true) then return true end
  if kShort[mnemonic] then return false end
  for name in gmatch(operands, "[%a_][%w_]*") do
    if descriptors[name] then return true end
  end
  return false
end

local function instruction_bytes(instruction, descriptors)
  local bytes = is_long(instruction, descriptors) and 2 * kWord or kWord
  if find(instruction, "fab%l+%(") or find(instruction, "^setd ") then bytes = bytes + kDescriptor end
  for constant in gmatch(instruction, "%f[%w.-]-?%d[%w.]*") do
    if #constant > 3 or find(constant, ".", 1, true) then bytes = bytes + kWord end
  end
  if find(instruction, "%f[%w]inf%f[%W]") then bytes = bytes + kWord end
  return bytes
end

-- Returns the bytes of the text of one program.
function code_size.of(text)
  local bytes, descriptors = kNames, descriptors_of(text)
  for line in gmatch(text, "[^\n]+") do
    local instruction = match(line, "^    (%l.*)$")
    if instruction then bytes = bytes + instruction_bytes(instruction, descriptors) end
    if find(line, "^  task ") then bytes = bytes + kWord end
  end
  return bytes
end

return code_size
