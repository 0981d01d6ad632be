-- Lengths of the blocks of a group: how many elements each of its PEs has, and where they begin in the
-- array of all, which holds them in the order of PEs: along a line, of a rectangle row by row.
local check = require "wse.layout.check"
local host = require "wse.host"
local checks = require "support.checks"
local type, format, max = type, string.format, math.max

local lengths = {}

-- {count = PEs, [place] = length, first = {[place] = of its first element, and [count] = of all}, name =
-- a short text, the same for the same lengths, has_empty = whether one of these, or of the group's, is 0}. The option `length` is a number or a function of the place.
function lengths.make(request, count)
  local given, list = request.length, {count = count, first = {[0] = 0}}
  if given == nil then
    check.wanted(request.call, "length", "the number of elements of a PE, or a function of its place", nil)
  end
  local same = type(given) ~= "function"
  if same then checks.integer("length", given, 1) end
  local hash <const>, prime <const> = 0xCBF29CE484222325, 0x100000001B3 -- FNV-1a
  local name = hash
  for place = 0, count - 1 do
    local length = same and given or checks.integer(format("the length at place %d", place), given(place), 0)
    if request.packed and length % 2 == 1 then
      host.raise(format("%s: place %d has %d elements; packed blocks have an even number", request.call,
                        place, length))
    end
    list[place], list.first[place + 1] = length, list.first[place] + length
    list.has_empty = list.has_empty or length == 0
    name = (name ~ length) * prime
  end
  list.total = list.first[count]
  list.name = same and "" .. given or format("%016x", name)
  return list
end

-- Lengths of the rows of a rectangle, whose PEs have those of `list`.
function lengths.rows(list, width, height)
  local rows = {count = height, first = {[0] = 0}, name = list.name .. "_rows",
                has_empty = list.has_empty}
  for y = 0, height - 1 do
    rows.first[y + 1] = list.first[(y + 1) * width]
    rows[y] = rows.first[y + 1] - rows.first[y]
  end
  rows.total = list.total
  return rows
end

-- Lengths of the places of row y of a rectangle.
function lengths.row(list, width, y)
  local row = {count = width, first = {[0] = 0}, name = list.name .. "_row",
               has_empty = list.has_empty}
  for x = 0, width - 1 do
    row[x], row.first[x + 1] = list[y * width + x], list.first[y * width + x + 1] - list.first[y * width]
  end
  row.total = row.first[width]
  return row
end

-- Wavelets from place `from` to before place `to`.
function lengths.words(request, list, from, to)
  return request:words(list.first[to] - list.first[from])
end

-- The element before which a walk backwards over [first, first + count) begins; with none of them any that
-- is there.
function lengths.last(first, count) return first + max(count, 1) - 1 end

return lengths
