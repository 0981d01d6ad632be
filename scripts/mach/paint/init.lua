-- Paint: a wafer from tiles that are painted, stacked, repeated and united. paint.tile() is one PE;
-- every call gives a new area. paint/README has the calls; paint.onto brings an area to a layout.
-- Must never know what is painted: no role, no protocol.
local area = require "mach.paint.area"
local check = require "wse.layout.check"
local host = require "wse.host"
local onto = require "mach.paint.onto"
local route = require "mach.paint.route"
local strided = require "mach.paint.strided"
local format, ipairs, type, max = string.format, ipairs, type, math.max

local paint = {ring = route.ring, onto = onto.layout}

-- One PE, or width x height of them.
function paint.tile(width, height)
  return area.make(check.integer("paint.tile", "the width", width or 1, 0, 65535),
                   check.integer("paint.tile", "the height", height or 1, 0, 65535))
end

-- Names of colours, as many values as names.
function paint.let(...)
  local names = {...}
  for k, name in ipairs(names) do check.name("paint.let", "name " .. k, name) end
  return table.unpack(names)
end

-- A function of areas: f with the named arguments, all of which must be given.
function paint.define(name, arguments, f)
  check.name("paint.define", "the name", name)
  check.table("paint.define", "the list of arguments", arguments)
  return function(...)
    local given = select("#", ...)
    if given ~= #arguments then
      host.raise(format("%s(%s): %d arguments are wanted, %d are given", name,
                        table.concat(arguments, ", "), #arguments, given))
    end
    return f(...)
  end
end

local function stacked(call, areas, axis)
  local along, across = axis == 1 and "width" or "height", axis == 1 and "height" or "width"
  local size, other, lists = 0, nil, {}
  for k, one in ipairs(areas) do
    area.given(call, one)
    if other and one[across] ~= other then
      host.raise(format("%s: area %d has %s %d, those before it %d", call, k, across, one[across],
                        other))
    end
    other = one[across]
    lists[k] = area.moved(one.marks, axis == 1 and size or 0, axis == 2 and size or 0)
    size = size + one[along]
  end
  local marks = area.joined(call, lists)
  if axis == 1 then return area.make(size, other or 0, marks) end
  return area.make(other or 0, size, marks)
end

-- Side by side, from the left; one below the other, from the top.
function paint.hstack(...) return stacked("paint.hstack", {...}, 1) end
function paint.vstack(...) return stacked("paint.vstack", {...}, 2) end

local function repeated(call, n, one, axis)
  check.integer(call, "how often", n, 0, 65535)
  area.given(call, one)
  local period = axis == 1 and one.width or one.height
  local width, height = axis == 1 and n * period or one.width, axis == 2 and n * period or one.height
  if n == 0 then return area.make(width, height) end
  return area.make(width, height, area.changed(one.marks, function(pieces)
    return strided.repeated(pieces, axis, n, period)
  end))
end

function paint.hstackrep(n, one) return repeated("paint.hstackrep", n, one, 1) end
function paint.vstackrep(n, one) return repeated("paint.vstackrep", n, one, 2) end

-- The area with its first PE at (x, y) of a larger one.
function paint.place(one, x, y)
  area.given("paint.place", one)
  check.integer("paint.place", "x", x, 0, 65535)
  check.integer("paint.place", "y", y, 0, 65535)
  return area.make(one.width + x, one.height + y, area.moved(one.marks, x, y))
end

-- All on each other. Where they overlap, equal properties are one, unequal ones an error.
function paint.union(...)
  local width, height, lists = 0, 0, {}
  for k, one in ipairs{...} do
    area.given("paint.union", one)
    width, height, lists[k] = max(width, one.width), max(height, one.height), one.marks
  end
  return area.make(width, height, area.joined("paint.union", lists))
end

-- Two parts: the first k columns {x = k} or rows {y = k}, and the rest.
function paint.split(one, at)
  area.given("paint.split", one)
  check.fields("paint.split", at, {x = true, y = true})
  if (at.x == nil) == (at.y == nil) then
    host.raise("paint.split: columns {x = 3} or rows {y = 3} of the first part are wanted")
  end
  if at.x then
    local k = check.integer("paint.split", "x", at.x, 0, one.width)
    return area.part(one, 0, 0, k, one.height), area.part(one, k, 0, one.width - k, one.height)
  end
  local k = check.integer("paint.split", "y", at.y, 0, one.height)
  return area.part(one, 0, 0, one.width, k), area.part(one, 0, k, one.width, one.height - k)
end

local function marked(call, one, mark)
  if one.width == 0 or one.height == 0 then return one end
  mark.at, mark.line = area.set(strided.whole(one.width, one.height)), check.line()
  return area.make(one.width, one.height, area.joined(call, {one.marks, {mark}}))
end

-- A colour and its positions in order, "R>C", "C>L", or paint.ring of them; {vars} instead of a
-- colour sets variables of the area, which code that has such parameters gets.
function paint.paint(one, what, ...)
  local call = "paint.paint"
  area.given(call, one)
  if type(what) == "table" then
    for _, name in ipairs(check.sorted_keys(what)) do
      local value = onto.value(call, name, what[name])
      one = marked(call, one, {kind = "var", key = name, value = value, shown = tostring(value)})
    end
    return one
  end
  check.name(call, "the colour", what)
  local value = route.of(call, ...)
  return marked(call, one, {kind = "route", key = what, value = value, shown = value})
end

-- The program that all PEs of the area run, with the values of its parameters.
function paint.code(one, program, arguments)
  area.given("paint.code", one)
  check.name("paint.code", "the program", program)
  arguments = arguments == nil and {} or check.table("paint.code", "the arguments", arguments)
  local shown = {program}
  for _, name in ipairs(check.sorted_keys(arguments)) do
    shown[#shown + 1] = name .. " = " .. tostring(onto.value("paint.code", name, arguments[name]))
  end
  return marked("paint.code", one, {kind = "code", key = "", shown = table.concat(shown, ", "),
                                    value = {program = program, arguments = arguments}})
end

return paint
