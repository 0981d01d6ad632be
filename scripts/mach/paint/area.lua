-- Areas: rectangles of PEs with properties painted on them. A mark is one property on some PEs:
-- {kind, key, value, shown, at, line}, where `at` is a set of strided rectangles and `shown` a text
-- that is equal for equal values. A PE has one value for each kind and key; a second one that
-- differs is an error that names both lines. Areas are values: nothing changes one that exists.
local host = require "wse.host"
local region = require "wse.layout.region"
local strided = require "mach.paint.strided"
local ipairs, setmetatable, getmetatable = ipairs, setmetatable, getmetatable
local format = string.format

local Area = {__metatable = "area", __name = "area"}

local area = {}

function area.set(pieces) return region.make(nil, pieces) end

function area.make(width, height, marks)
  return setmetatable({width = width, height = height, marks = marks or {}}, Area)
end

function area.is(value) return getmetatable(value) == "area" end

function area.given(call, value)
  if not area.is(value) then
    host.raise(format("%s: an area is wanted, such as paint.tile()", call))
  end
  return value
end

local function what(mark)
  if mark.kind == "route" then return format("the route of '%s'", mark.key) end
  if mark.kind == "code" then return "the code" end
  return format("the variable '%s'", mark.key)
end

local function clash(call, old, new, both)
  for x, y in both:each() do
    host.raise(format("%s: %s at (%d, %d) is '%s', painted at %s, and '%s', painted at %s", call,
                      what(new), x, y, old.shown, old.line, new.shown, new.line))
  end
end

-- Marks by kind and key, so that only those that can clash meet.
local function key_of(mark) return mark.kind .. " " .. mark.key end

-- Appends `mark` to marks: what has its value already is left as it is.
local function add(call, marks, by_key, mark)
  local key, left = key_of(mark), mark.at
  local others = by_key[key] or {}
  by_key[key] = others
  for _, old in ipairs(others) do
    local both = left * old.at
    if #both > 0 then
      if old.shown ~= mark.shown then clash(call, old, mark, both) end
      left = left - old.at
    end
  end
  if #left == 0 then return end
  local kept = {kind = mark.kind, key = mark.key, value = mark.value, shown = mark.shown,
                line = mark.line, at = left}
  marks[#marks + 1], others[#others + 1] = kept, kept
end

-- The marks of all lists, in order.
function area.joined(call, lists)
  local marks, by_key = {}, {}
  for _, list in ipairs(lists) do
    for _, mark in ipairs(list) do add(call, marks, by_key, mark) end
  end
  return marks
end

-- The marks with other PEs: f takes the pieces of one and gives new ones; a mark without any is left
-- out.
function area.changed(marks, f)
  local changed = {}
  for _, mark in ipairs(marks) do
    local at = area.set(f(mark.at.pieces))
    if #at > 0 then
      changed[#changed + 1] = {kind = mark.kind, key = mark.key, value = mark.value,
                               shown = mark.shown, line = mark.line, at = at}
    end
  end
  return changed
end

function area.moved(marks, x, y)
  return area.changed(marks, function(pieces) return strided.moved(pieces, x, y) end)
end

-- The part of `given` in a rectangle of its PEs.
function area.part(given, x, y, width, height)
  local window = area.set(strided.moved(strided.whole(width, height), x, y))
  local marks = area.changed(given.marks, function(pieces)
    return strided.moved((area.set(pieces) * window).pieces, -x, -y)
  end)
  return area.make(width, height, marks)
end

return area
