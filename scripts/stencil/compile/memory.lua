-- The regions of a PE's memory and where they lie. A region of cells has a ghost margin of zeros around
-- it; a temporary one holds a block. Two words that an instruction reads together conflict if both are
-- in one half of the banks: `parity` is that of a region's first cell, in words of 4 bytes. A region has elements of f32, or of f16 (`half`).
local format, concat = string.format, table.concat

local memory = {}

local Plan = {}
Plan.__index = Plan

-- Returns a plan without regions. shape: see shape.lua; half: whether elements are f16 where nothing else is said.
function memory.new(shape, half)
  return setmetatable({shape = shape, half = half, list = {}, free = {{}, [0] = {}}, made = 0}, Plan)
end

-- Returns the bytes of an element of a region.
function memory.element_bytes(region) return region.half and 2 or 4 end

-- Adds a region of cells, or of a block where `temporary`. below, above: elements of margin.
function Plan:add(fields)
  fields.parity = fields.parity or 0
  if fields.half == nil then fields.half = self.half end
  self.list[#self.list + 1] = fields
  return fields
end

-- Returns the region of the two sums that totals are added up in, of that parity.
function Plan:ring(parity)
  self.rings = self.rings or {}
  self.rings[parity] = self.rings[parity] or self:add{
    name = format("partial_%d", parity), parity = parity, margin = 0, is_scalar = true, count_of_words = 2, half = false,
    what = "sums of products"}
  return self.rings[parity]
end

-- Returns a temporary region of a block, whose first word has that parity.
function Plan:take(parity)
  local list = self.free[parity]
  if #list > 0 then return table.remove(list) end
  self.made = self.made + 1
  return self:add{name = format("sum_%d", self.made), parity = parity, temporary = true, margin = 0,
                  what = "sums and products of a block"}
end

function Plan:give_back(region)
  local list = self.free[region.parity]
  list[#list + 1] = region
end

-- Places all regions for blocks of so many cells. Returns the bytes that they take.
function Plan:place(cells, block)
  local words = 0
  for _, region in ipairs(self.list) do
    local below, count, above = self.shape:words(region, cells, block)
    local size = memory.element_bytes(region)
    local first = words + (size * below + 3) // 4  -- the word of the first cell
    if first % 2 ~= region.parity then first = first + 1 end
    region.first, region.address = 4 * first, 4 * first - size * below
    region.words, region.count = below + count + above, count
    words = first + (size * (count + above) + 3) // 4
  end
  self.bytes = 4 * words
  return self.bytes
end

-- Returns lines of text: address, bytes, name, what it is; role_bytes: those of sources and receivers.
function Plan:lines(role_bytes, code_bytes, memory_bytes)
  local lines = {}
  for _, region in ipairs(self.list) do
    if region.words > 0 then
      lines[#lines + 1] = format("  %6d %6d  %-16s %s", region.address, memory.element_bytes(region) * region.words, region.name,
                                  region.what)
    end
  end
  local bytes = self.bytes
  local function add(count, name, what)
    if count == 0 then return end
    lines[#lines + 1] = format("  %6d %6d  %-16s %s", bytes, count, name, what)
    bytes = bytes + count
  end
  add(role_bytes, "steps", "values of sources and receivers, by step")
  add(code_bytes, "code", "instructions and descriptors, at most")
  lines[#lines + 1] = format("  %6d of %d bytes", bytes, memory_bytes)
  return concat(lines, "\n")
end

return memory
