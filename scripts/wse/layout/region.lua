-- Sets of PEs: lists of disjoint strided rectangles {xs, ys}, each a progression. Values: nothing
-- changes one that exists. The algebra is exact and costs as the rectangles, not as the PEs.
local check = require "wse.layout.check"
local host = require "wse.host"
local progression = require "wse.layout.progression"
local ipairs, setmetatable, getmetatable = ipairs, setmetatable, getmetatable
local max = math.max
local concat, sort, huge = table.concat, table.sort, math.huge
local intersection, contains = progression.intersection, progression.contains

local Region = {}
local methods = {}
Region.__index = methods
Region.__metatable = "region"
Region.__name = "region"

local region = {}

-- layout: the one that it belongs to; pieces: its disjoint rectangles, not to be changed later.
function region.make(layout, pieces)
  return setmetatable({layout = layout, pieces = pieces}, Region)
end
local make = region.make

function region.is(value) return getmetatable(value) == "region" end

-- The value as a region of the layout.
function region.given(call, value, layout)
  if not region.is(value) then
    check.wanted(call, "the region", "a region such as w:row(0)", value)
  end
  if value.layout ~= layout then
    host.raise(call .. ": the region belongs to another layout")
  end
  return value
end

local function common(a, b)
  local xs, ys = intersection(a[1], b[1]), intersection(a[2], b[2])
  if xs and ys then return {xs, ys} end
end

-- Appends what rectangle a has and b has not: the columns beside b, then the rows beside it.
local function cut(a, b, to)
  local both = common(a, b)
  if not both then
    to[#to + 1] = a
    return
  end
  for _, xs in ipairs(progression.without(a[1], both[1])) do to[#to + 1] = {xs, a[2]} end
  for _, ys in ipairs(progression.without(a[2], both[2])) do to[#to + 1] = {both[1], ys} end
end


local function of_one_layout(a, b)
  if not (region.is(a) and region.is(b)) then
    host.raise("regions are joined with regions: a + b, a - b, a * b; here one is "
               .. check.shown(region.is(a) and b or a))
  end
  region.given("a set of PEs", b, a.layout)
end

function Region.__sub(a, b)
  of_one_layout(a, b)
  local left = a.pieces
  for _, taken in ipairs(b.pieces) do
    local rest = {}
    for _, piece in ipairs(left) do cut(piece, taken, rest) end
    left = rest
  end
  return make(a.layout, left)
end

function Region.__add(a, b)
  of_one_layout(a, b)
  local pieces = {}
  for _, piece in ipairs(a.pieces) do pieces[#pieces + 1] = piece end
  for _, piece in ipairs((b - a).pieces) do pieces[#pieces + 1] = piece end
  return make(a.layout, pieces)
end

function Region.__mul(a, b)
  of_one_layout(a, b)
  local pieces = {}
  for _, one in ipairs(a.pieces) do
    for _, other in ipairs(b.pieces) do pieces[#pieces + 1] = common(one, other) end
  end
  return make(a.layout, pieces)
end

function methods.count(self)
  local total = 0
  for _, piece in ipairs(self.pieces) do
    total = total + progression.count(piece[1]) * progression.count(piece[2])
  end
  return total
end
Region.__len = methods.count

function methods.contains(self, x, y)
  for _, piece in ipairs(self.pieces) do
    if contains(piece[1], x) and contains(piece[2], y) then return true end
  end
  return false
end

-- Regions are equal if they have the same PEs.
function Region.__eq(a, b)
  return a.layout == b.layout and #(a - b) == 0 and #(b - a) == 0
end

local function xs_of_row(self, y)
  local xs, pieces = {}, 0
  for _, piece in ipairs(self.pieces) do
    if contains(piece[2], y) then
      pieces = pieces + 1
      for x = piece[1][1], piece[1][2], piece[1][3] do xs[#xs + 1] = x end
    end
  end
  if pieces > 1 then sort(xs) end
  return xs
end

-- for x, y in region:each() do ... end: row by row, each along x.
function methods.each(self)
  local y, last = huge, -1
  for _, piece in ipairs(self.pieces) do
    if piece[2][1] < y then y = piece[2][1] end
    last = max(last, piece[2][2])
  end
  local xs, k = {}, 0
  y = y - 1
  return function()
    k = k + 1
    while xs[k] == nil do
      y = y + 1
      if not (y <= last) then return nil end
      xs, k = xs_of_row(self, y), 1
    end
    return xs[k], y // 1 | 0
  end
end

function region.piece_text(piece)
  return "(" .. progression.text(piece[1]) .. ", " .. progression.text(piece[2]) .. ")"
end

function Region.__tostring(self)
  local texts = {}
  for index, piece in ipairs(self.pieces) do texts[index] = region.piece_text(piece) end
  return #texts == 0 and "()" or concat(texts, " + ")
end

return region
