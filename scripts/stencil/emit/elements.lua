-- Elements of f32 and f16 in the text of a program: the names of instructions, and words of two f16 each on the fabric.
local elements = {}

-- Returns the name of a vector instruction of f32 for elements of f16.
local function half_name(name) return (name:gsub("s$", "h")) end

-- Returns the name of an instruction {name, destination, source, ...} of a plan, whose name is that for f32: of one with sources of f16
-- and a destination of f32 the mixed one.
function elements.name(op)
  if op[2].region.half then return half_name(op[1]) end
  for k = 3, #op do
    if type(op[k]) == "table" and op[k].region and op[k].region.half then return op[1]:gsub("s$", "hs") end
  end
  return op[1]
end

-- Returns the name of an instruction of a step whose elements travel.
function elements.word(step, name) return step.half and half_name(name) or name end

-- Returns what a fabric operand says about its elements: f16 go two in a word.
function elements.packing(step) return step.half and ", packed" or "" end

return elements
