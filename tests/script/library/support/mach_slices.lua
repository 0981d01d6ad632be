-- Random slices for random programs of mach; `self` draws the numbers.
local slices = {}

-- A range of an axis as {first, count, step}.
function slices.range_of(self, extent)
  if self:chance(40) then return {first = 0, count = extent, step = 1} end
  local step = self:chance(25) and extent > 2 and 2 or 1
  local most = (extent + step - 1) // step
  local count = 1 + self:draw(most)
  local first = self:draw(extent - (count - 1) * step)
  if self:chance(10) then return {first = first + (count - 1) * step, count = count, step = -step} end
  return {first = first, count = count, step = step}
end

local function text_of(range)
  local last = range.first + (range.count - 1) * range.step
  if range.step > 0 then return ("%d:%d:%d"):format(range.first, last + 1, range.step) end
  return ("%d:%s:%d"):format(range.first, last > 0 and tostring(last - 1) or "", range.step)
end

-- Another range of the same count and step.
function slices.moved(self, range, extent)
  local reach = (range.count - 1) * math.abs(range.step)
  local low = self:draw(extent - reach)
  return {first = range.step > 0 and low or low + reach, count = range.count, step = range.step}
end

function slices.text(ranges)
  local parts = {}
  for k, range in ipairs(ranges) do parts[k] = text_of(range) end
  return table.concat(parts, ", ")
end

-- The same text with bounds that lie beyond the axes where the range goes to an end of one: NumPy clips them.
function slices.clipped(self, ranges, extents)
  local parts = {}
  for k, range in ipairs(ranges) do
    local first, stop, step = text_of(range):match("^(.-):(.-):(.-)$")
    local last = range.first + (range.count - 1) * range.step
    if range.step > 0 and last + range.step >= extents[k] then stop = tostring(extents[k] + self:draw(9)) end
    if range.step > 0 and range.first == 0 then first = tostring(-extents[k] - self:draw(9)) end
    if range.step < 0 and range.first == extents[k] - 1 then first = tostring(extents[k] + self:draw(9)) end
    if range.step < 0 and last + range.step < 0 then stop = tostring(-extents[k] - 1 - self:draw(9)) end
    parts[k] = ("%s:%s:%s"):format(first, stop, step)
  end
  return table.concat(parts, ", ")
end

-- Writes an empty slice of an array; what it would take of a sum is taken.
function slices.write_nothing(self, one, number)
  local text = self:one_of{"3:1", ":, 99:", "-1:0", "2:2, 1:0"}
  local value = self:chance(50) and one.object[text] + number or number
  if self:chance(30) and one.type ~= "f16" and #self.p.graph.pending == 0 then
    value = one.object[text] * self.p:sum(one.object)
  end
  one.object[text] = value
end

return slices
