-- Slices as NumPy has them, in a text: "1:-1, ::2, 0". A part is start:stop:step, each of which may
-- be missing; negative positions count from the end; an index is a slice of one. The last part of an
-- array of rank 3 may be ":NAME", whose length each worker has in the LS or ULS of that name.
-- Bounds beyond the array are clipped, and a slice may be empty; an index beyond it is a mistake.
local host = require "wse.host"
local format, concat = string.format, table.concat
local gmatch, match, find, tointeger = string.gmatch, string.match, string.find, math.tointeger

local slice = {}

-- A range of positions: first, first + step, ...; `count` of them.
function slice.range(first, count, step) return {first = first, count = count, step = step or 1} end

-- The same access with other rows and columns.
function slice.with_ranges(access, x, y)
  local copy = {}
  for name, value in pairs(access) do copy[name] = value end
  copy.x, copy.y = x, y
  return copy
end

local function same_range(a, b)
  return a.first == b.first and a.count == b.count and (a.step == b.step or a.count == 1)
end
slice.same_range = same_range

function slice.same_ranges(a, b)
  if #a ~= #b then return false end
  for k = 1, #a do
    if not same_range(a[k], b[k]) then return false end
  end
  return true
end

-- Whether two ranges have no position in common: by their ends, then by their steps.
function slice.disjoint(a, b)
  local function ends(r)
    local last = r.first + (r.count - 1) * r.step
    return math.min(r.first, last), math.max(r.first, last)
  end
  local a_low, a_high = ends(a)
  local b_low, b_high = ends(b)
  if a_high < b_low or b_high < a_low then return true end
  local step = a.step
  return (step == b.step or step == -b.step) and (a_low - b_low) % step ~= 0
end

local function refuse(text, what, ...) host.raise(format("slice '%s': " .. what, text, ...)) end

local function integer_of(text, word)
  local number = tointeger(tonumber(word))
  if not number then
    refuse(text, "'%s' is no position; start:stop:step of integers is wanted", word)
  end
  return number
end

-- NumPy's rule for a bound: a negative one counts from the end, and both are clipped to [low, high].
local function bound(text, word, extent, low, high, default)
  if word == "" then return default end
  local number = integer_of(text, word)
  return math.min(math.max(number < 0 and number + extent or number, low), high)
end

-- The first position and the number of positions, which may be 0.
local function stepped(text, start, stop, step, extent)
  if step > 0 then
    local first = bound(text, start, extent, 0, extent, 0)
    local last = bound(text, stop, extent, 0, extent, extent)
    return first, math.max((last - first + step - 1) // step, 0)
  end
  local first = bound(text, start, extent, -1, extent - 1, extent - 1)
  local last = bound(text, stop, extent, -1, extent - 1, -1)
  return first, math.max((first - last - step - 1) // -step, 0)
end

local function indexed_range(text, part, extent, axis)
  local number = integer_of(text, part)
  local at = number < 0 and number + extent or number
  if at < 0 or at >= extent then
    refuse(text, "%d is beyond %s, which has %d elements", number, axis, extent)
  end
  return slice.range(at, 1, 1)
end

local function part_range(text, part, extent, axis)
  if not find(part, ":", 1, true) then return indexed_range(text, part, extent, axis) end
  local start, stop, step = match(part, "^([^:]*):([^:]*):?([^:]*)$")
  if not start then refuse(text, "'%s' is no start:stop:step", part) end
  step = step == "" and 1 or tointeger(tonumber(step))
  if not step or step == 0 then refuse(text, "'%s': a step is an integer, but not 0", part) end
  local first, count = stepped(text, start, stop, step, extent)
  if count == 0 then return slice.range(0, 0, 1) end
  return slice.range(first, count, step)
end

-- The parts of a text, blanks left out; "..." is as many ":" as are missing.
local function parts_of(text, rank)
  local parts, dots = {}, nil
  for part in gmatch(text .. ",", "([^,]*),") do
    part = part:gsub("%s", "")
    if part == "" then refuse(text, "a part between commas is empty; ':' takes all") end
    if part == "..." then
      if dots then refuse(text, "'...' may be written once") end
      dots = #parts + 1
    else
      parts[#parts + 1] = part
    end
  end
  if #parts > rank then refuse(text, "%d parts for an array of rank %d", #parts, rank) end
  for _ = #parts + 1, rank do table.insert(parts, dots or #parts + 1, ":") end
  return parts
end

local kAxes = {"x", "y", "the memory"}

-- Reads the slice of an array. `extents` are {width, height, n, ...}; `length_of(name)` gives the LS
-- or ULS of that name. Returns {x =, y =, memory = {range, ...}, length = value or nil}.
function slice.read(text, extents, length_of)
  local rank = #extents
  local parts = parts_of(text, rank)
  local ranges, length = {}, nil
  for k, part in ipairs(parts) do
    local name = match(part, "^0?:(%a[%w_]*)$")
    local axis = rank > 3 and k > 2 and format("memory axis %d", k - 2) or kAxes[k]
    if name then
      if rank ~= 3 or k ~= 3 then
        refuse(text, "a length of each worker is one of the memory of rank 3, \":, :, :%s\"", name)
      end
      length = length_of(text, name)
      ranges[k] = slice.range(0, extents[k], 1)
    else
      ranges[k] = part_range(text, part, extents[k], axis)
    end
  end
  return {x = ranges[1], y = ranges[2], memory = {table.unpack(ranges, 3)}, length = length}
end

-- All of an array.
function slice.all(extents)
  local ranges = {}
  for k, extent in ipairs(extents) do ranges[k] = slice.range(0, extent, 1) end
  return {x = ranges[1], y = ranges[2], memory = {table.unpack(ranges, 3)}}
end

local function range_text(range, extent)
  if range.count == 0 then return "0:0" end
  if range.count == 1 then return format("%d", range.first) end
  local stop = range.first + range.count * range.step
  if range.step > 0 then
    local start_text = range.first == 0 and "" or format("%d", range.first)
    local stop_text = stop >= extent and "" or format("%d", stop - range.step + 1)
    return start_text .. ":" .. stop_text .. (range.step == 1 and "" or format(":%d", range.step))
  end
  local start_text = range.first == extent - 1 and "" or format("%d", range.first)
  local stop_text = stop < 0 and "" or format("%d", stop - range.step - 1)
  return start_text .. ":" .. stop_text .. format(":%d", range.step)
end

-- The slice as a text that reads as it again.
function slice.text(access, extents)
  local parts = {range_text(access.x, extents[1]), range_text(access.y, extents[2])}
  for k, range in ipairs(access.memory) do
    parts[#parts + 1] = access.length and ":" .. access.length.name
                        or range_text(range, extents[k + 2])
  end
  return concat(parts, ", ")
end

-- Whether a slice takes no element of any worker.
function slice.is_empty(access)
  return access.x.count == 0 or access.y.count == 0 or slice.count(access.memory) == 0
end

-- Elements on each worker, and their places from the array's first one (C order).
function slice.count(ranges)
  local count = 1
  for _, range in ipairs(ranges) do count = count * range.count end
  return count
end

-- `first` and, if they are not `first`, `first` + 1, ..., the list of all places.
function slice.places(ranges, extents)
  local places = {0}
  for k, range in ipairs(ranges) do
    local longer = {}
    for _, place in ipairs(places) do
      for i = 0, range.count - 1 do
        longer[#longer + 1] = place * extents[k] + range.first + i * range.step
      end
    end
    places = longer
  end
  for k = 2, #places do
    if places[k] ~= places[1] + k - 1 then return places[1], places end
  end
  return places[1], nil
end

return slice
