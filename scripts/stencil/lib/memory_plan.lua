-- Plans the memory of a PE, in bytes, before anything is assembled: the plan that a
-- command prints, the addresses that programs use, and what fits.
local format, concat = string.format, table.concat

local memory_plan = {}

-- Code, descriptors, literals, parameters and control words of a program, at most, if its kernel has
-- no `code_bytes` of its own. A test compares them with listings.
local kCodeBytes = 1536

local Plan = {}
Plan.__index = Plan

-- A plan for a kernel. Two words that an instruction reads together conflict if their addresses are
-- the same modulo half of the banks, each of which has 2 bytes: `half_bytes` apart they do not.
function memory_plan.new(machine, kernel)
  return setmetatable({regions = {}, places = {}, bytes = 0, half_bytes = machine.banks // 2,
                       code_bytes = kernel.code_bytes or kCodeBytes}, Plan)
end

-- Puts a region of f32 words after the others. half: 0 or 1, in which half of the banks its first
-- word begins; nil: where it comes.
function Plan:add(name, words, half, what)
  local start = self.bytes
  local size = self.half_bytes
  if half and size >= 4 and start // size % 2 ~= half then
    start = (start // size + 1) * size
  end
  self.regions[#self.regions + 1] = {name = name, address = start, bytes = 4 * words, what = what}
  self.places[name] = start
  self.bytes = start + 4 * words
  return start
end

function Plan:total() return self.bytes + self.code_bytes end

-- Lines of text.
function Plan:lines(memory_bytes)
  local lines = {}
  for _, region in ipairs(self.regions) do
    if region.bytes > 0 then
      lines[#lines + 1] = format("  %6d %6d  %-13s %s", region.address, region.bytes, region.name,
                                 region.what)
    end
  end
  lines[#lines + 1] = format("  %6d %6d  %-13s %s", self.bytes, self.code_bytes, "code",
                             "instructions and descriptors, at most")
  lines[#lines + 1] = format("  %6d of %d bytes", self:total(), memory_bytes)
  return concat(lines, "\n")
end

-- The largest value of lo..hi for which fits(value), which holds below some value; nil: none.
function memory_plan.largest(lo, hi, fits)
  if not fits(lo) then return nil end
  while lo < hi do
    local middle = (lo + hi + 1) // 2
    if fits(middle) then lo = middle else hi = middle - 1 end
  end
  return lo
end

return memory_plan
