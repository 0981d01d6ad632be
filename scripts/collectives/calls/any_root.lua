-- Reduce and broadcast whose root the program says at run time: root = {at = "r"} on lines, {x = "rx", y = "ry"} on
-- rectangles, texts of operands that hold the same number in all PEs of a group. Messages of a reduce go from neighbour
-- to neighbour towards the root (lanes.hop). The root of a broadcast turns its switches (lanes.any_root). A
-- rectangle reduces its rows and then the column of the root, and broadcasts along the row of the root and then the
-- columns. Must never know names of a program.
local check = require "wse.layout.check"
local host = require "wse.host"
local lanes = require "collectives.calls.lanes"
local lines = require "collectives.calls.line"
local roles = require "collectives.calls.roles"
local format, type, pairs = string.format, type, pairs

local any_root = {}

-- Whether a request has such a root, which is checked.
function any_root.is_asked(request)
  local root = request.root
  if type(root) ~= "table" or root[1] ~= nil then return false end
  local wanted = request.along and {at = true} or {x = true, y = true}
  for name in pairs(wanted) do
    if root[name] == nil then
      check.wanted(request.call, "the root", request.along and '{at = "r"}, an operand of the program'
                   or '{x = "rx", y = "ry"}, operands of the program', root)
    end
  end
  for name, text in pairs(root) do
    if not wanted[name] then host.raise(format("%s: the root has no field '%s'", request.call, name)) end
    check.one_line(request.call, "root." .. name, text)
  end
  return true
end

-- Returns a role that chooses by the operand `root`, compared with the place of the PE.
local function chosen(slot, place, root, cases)
  local role = roles.make()
  role.numbers[slot] = place
  role:choose(root, slot, cases)
  return role
end

-- The roles of a line in a broadcast. The root hears itself: the call ends when all words have left.
local function broadcast_line(request, line, root, prefix)
  local made, last = {}, line.size - 1
  local up = last > 0 and lanes.any_root(request, line, 1)
  local down = last > 0 and lanes.any_root(request, line, -1)
  for place = 0, last do
    local sends, below, above, strands = roles.make(), roles.make(), roles.make(), {}
    local function add_way(slot, channel, is_end)
      sends.colours[slot] = channel
      if not is_end then sends:main(format("setpos {%s}, 1", slot)) end
      strands[#strands + 1] = {request:copy(request:to(slot, not is_end and "advance" or nil), "{data}")}
      strands[#strands + 1] = {request:hear(request:from(slot))}
    end
    if place < last then add_way(prefix .. "up", up, place == 0) end
    if place > 0 then add_way(prefix .. "down", down, place == last) end
    if #strands > 0 then sends:beside(strands) end
    if place > 0 then
      below.colours[prefix .. "up"] = up
      below:add(request:copy("{data}", request:from(prefix .. "up")))
    end
    if place < last then
      above.colours[prefix .. "down"] = down
      above:add(request:copy("{data}", request:from(prefix .. "down")))
    end
    made[place] = last == 0 and roles.make()
                  or chosen(prefix .. "place", place, root, {equal = sends, less = below, greater = above})
  end
  return made
end

-- The role of a place that passes on what comes from one side; sums go in a direction.
local function passes(request, place, last, hop, direction, slot)
  local role, first = roles.make(), direction > 0 and 0 or last
  role.colours[slot .. "tx"] = hop(place)
  if place == first then
    role:add(request:copy(request:to(slot .. "tx"), "{data}"))
  else
    role.colours[slot .. "rx"] = hop(place - direction)
    role:add(request:combine(request:to(slot .. "tx"), "{data}", request:from(slot .. "rx")))
  end
  return role
end

-- The roles of a line in a reduce.
local function reduce_line(request, line, root, prefix)
  local made, last = {}, line.size - 1
  local up = last > 0 and lanes.hop(request, line, 1)
  local down = last > 0 and lanes.hop(request, line, -1)
  for place = 0, last do
    local takes = roles.make()
    local function add_take(slot, channel)
      takes.colours[slot] = channel
      takes:add(request:combine("{data}", "{data}", request:from(slot)))
    end
    if place > 0 then add_take(prefix .. "uprx", up(place - 1)) end
    if place < last then add_take(prefix .. "downrx", down(place + 1)) end
    local less = place > 0 and passes(request, place, last, down, -1, prefix .. "down") or roles.make()
    local greater = place < last and passes(request, place, last, up, 1, prefix .. "up") or roles.make()
    made[place] = last == 0 and roles.make()
                  or chosen(prefix .. "place", place, root, {equal = takes, less = less, greater = greater})
  end
  return made
end

-- Returns a function of a request and a rectangle that returns its cells. On rectangles `is_row_first` says whether all
-- rows come first, then the column of the root; else the row of the root comes first, then all columns.
local function collective(make_line, is_row_first)
  return function(request, rect)
    local root, w = request.root, request.layout
    if request.along then
      local line = lines.of_request(request, rect)
      local made = make_line(request, line, root.at, "")
      return lines.cells(line, function(place) return made[place] end), {"chain"}
    end
    local rows = make_line(request, lines.make(w, rect, "x"), root.x, "x")
    local columns = make_line(request, lines.make(w, rect, "y"), root.y, "y")
    return lines.grid_cells(rect, function(x, y)
      if is_row_first then
        if #columns[y].steps == 0 then return {rows[x]} end
        return {rows[x], chosen("column", x, root.x, {equal = columns[y]})}
      end
      if #rows[x].steps == 0 then return {columns[y]} end
      return {chosen("row", y, root.y, {equal = rows[x]}), columns[y]}
    end), {"chain"}
  end
end

any_root.reduce = collective(reduce_line, true)
any_root.broadcast = collective(broadcast_line, false)

return any_root
