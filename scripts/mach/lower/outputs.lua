-- The elements that a run leaves in the memories of its PEs: those of every output, and which of them
-- differ from the interpreter's.
local geometry = require "mach.vm.geometry"
local types = require "mach.lang.types"
local format, ipairs, type = string.format, ipairs, type

local outputs = {}

local function element_of(word_at, address, type_name)
  local word = word_at(address // 4) & 0xffffffff
  if type_name == "i32" then return types.wrap(word) end
  if type_name == "f32" then return (string.unpack("<f", string.pack("<I4", word))) end
  local bits = address % 4 == 0 and word & 0xffff or word >> 16
  local sign, exponent, rest = bits >> 15 == 1 and -1.0 or 1.0, bits >> 10 & 31, bits & 1023
  if exponent == 31 then return rest == 0 and sign * math.huge or types.nan end
  if exponent == 0 then return sign * rest * 2.0 ^ -24 end
  return sign * (1 + rest / 1024) * 2.0 ^ (exponent - 15)
end

-- Calls visit(value, k, element) for each element of each output, k its place in the value's list; a
-- ULS comes once from each worker.
local function each_element(program, machine, record, visit)
  local g = machine.geometry
  local function elements(value, from, word_at)
    local bytes = types[value.type].bytes
    for k = 1, value.size do
      visit(value, from + k, element_of(word_at, value.memory.address + (k - 1) * bytes, value.type))
    end
  end
  local function heap_of(px, py, name)
    local heap = record:symbol(g.left + px, g.top + py, name)
    return type(heap) == "table" and heap or {heap}
  end
  local heaps, executive_heap = {}, heap_of(g.executive, g.control, "heap")
  for _, value in ipairs(program.graph.values) do
    if value.output and value.memory and value.space == "executive" then
      elements(value, 0, function(at) return executive_heap[at + 1] end)
    elseif value.output and value.memory then
      for y = 0, program.height - 1 do
        for x = 0, program.width - 1 do
          local px, py = geometry.pe(g, x, y)
          local w = y * program.width + x
          heaps[w] = heaps[w] or heap_of(px, py, "array_heap" .. machine.suffix)
          local from, heap = value.class == "ULS" and 0 or w * value.size, heaps[w]
          elements(value, from, function(at) return heap[at + 1] end)
        end
      end
    end
  end
end

-- The elements of every output, a list for each value.
function outputs.of(program, machine, record)
  local cells = {}
  each_element(program, machine, record, function(value, k, found)
    cells[value] = cells[value] or {}
    cells[value][k] = found
  end)
  return cells
end

-- Compares every output with the interpreter's: words that differ, the largest difference, and where
-- the first one is.
function outputs.compare(program, machine, record, cells)
  local figures = {differing_words = 0, max_abs_error = 0.0}
  each_element(program, machine, record, function(value, k, found)
    local wanted = cells[value][k]
    if types.bits(found, value.type) ~= types.bits(wanted, value.type) then
      figures.differing_words = figures.differing_words + 1
      figures.first_difference = figures.first_difference or format(
        "%s: element %d of all is %s, not %s", value.name, k - 1, found, wanted)
      figures.max_abs_error = math.max(figures.max_abs_error, math.abs(found - wanted))
    end
  end)
  return figures
end

return outputs
