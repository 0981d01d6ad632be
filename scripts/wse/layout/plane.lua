-- For every PE the id of what it has, 0 for nothing. The only place that is as large as the wafer:
-- rows[y][x + 1], where nil is nothing, so that a channel of one column takes no whole rows.
local progression = require "wse.layout.progression"
local ipairs, pairs, setmetatable = ipairs, pairs, setmetatable
local concat, sort, move = table.concat, table.sort, table.move

local Plane = {__metatable = false}
Plane.__index = Plane

local plane = {}

function plane.make(width, height)
  local nothing = {}
  for x = 1, width do nothing[x] = 0 end
  return setmetatable({width = width, height = height, nothing = nothing, buffer = {}, rows = {}},
                      Plane)
end

function Plane:get(x, y)
  local row = self.rows[y]
  return row and row[x + 1] or 0
end

-- The row y, to be written: element x + 1 is that of PE (x, y).
function Plane:row(y)
  local row = self.rows[y]
  if not row then
    row = {}
    self.rows[y] = row
  end
  return row
end

-- Every PE of the region gets merge(what it has, x, y), or `id` where it has nothing.
function Plane:fill(pieces, id, merge)
  for _, piece in ipairs(pieces) do
    local first, last, step = piece[1][1], piece[1][2], piece[1][3]
    for y = piece[2][1], piece[2][2], piece[2][3] do
      local row = self:row(y)
      for x = first + 1, last + 1, step do
        local old = row[x]
        row[x] = old and merge(old, x - 1, y) or id
      end
    end
  end
end

-- The row y with 0 for nothing, valid until the next call; nil if there is nothing in it.
function Plane:whole_row(y)
  local row = self.rows[y]
  if not row then return nil end
  local buffer = move(self.nothing, 1, self.width, 1, self.buffer)
  for x, id in pairs(row) do buffer[x] = id end
  return buffer
end

-- Calls look(what it has, x, y) where PEs of the region have something.
function Plane:check(pieces, look)
  for _, piece in ipairs(pieces) do
    local first, last, step = piece[1][1], piece[1][2], piece[1][3]
    for y = piece[2][1], piece[2][2], piece[2][3] do
      local row = self.rows[y]
      for x = first, row and last or -1, step do
        if row[x + 1] then look(row[x + 1], x, y) end
      end
    end
  end
end

-- content of ids -> progressions of x, of one row
local function pieces_of_row(row, content_of)
  local values, order = {}, {}
  for x = 1, #row do
    local id = row[x]
    if id ~= 0 then
      local content = content_of[id]
      local list = values[content]
      if not list then
        list = {}
        values[content] = list
        order[#order + 1] = content
      end
      list[#list + 1] = x - 1
    end
  end
  local pieces = {}
  for _, content in ipairs(order) do
    for _, xs in ipairs(progression.cover(values[content])) do
      pieces[#pieces + 1] = {content, xs, content .. " " .. progression.text(xs)}
    end
  end
  return pieces
end

-- Rows that hold the same are looked at once.
local function group_rows(self, content_of)
  local pieces_of, groups, order = {}, {}, {}
  for y = 0, self.height - 1 do
    local row = self:whole_row(y)
    if row then
      local key = concat(row, ",")
      local pieces = pieces_of[key]
      if not pieces then
        pieces = pieces_of_row(row, content_of)
        pieces_of[key] = pieces
      end
      for _, piece in ipairs(pieces) do
        local group = groups[piece[3]]
        if not group then
          group = {content = piece[1], xs = piece[2], ys = {}}
          groups[piece[3]] = group
          order[#order + 1] = group
        end
        group.ys[#group.ys + 1] = y
      end
    end
  end
  return order
end

-- Few disjoint rectangles for each content: {content, {xs, ys}} in the order of their first PEs.
-- content_of[id]: a small integer; ids with one content are one.
function Plane:cover(content_of)
  local found = {}
  for _, group in ipairs(group_rows(self, content_of)) do
    for _, ys in ipairs(progression.cover(group.ys)) do
      found[#found + 1] = {group.content, {group.xs, ys}}
    end
  end
  local first = {}
  local function place(item) return item[2][2][1] * self.width + item[2][1][1] end
  for _, item in ipairs(found) do
    local at = place(item)
    if not first[item[1]] or at < first[item[1]] then first[item[1]] = at end
  end
  sort(found, function(a, b)
    if a[1] ~= b[1] then return first[a[1]] < first[b[1]] end
    return place(a) < place(b)
  end)
  return found
end

return plane
