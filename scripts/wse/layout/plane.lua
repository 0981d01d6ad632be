-- For every PE the id of what it has, 0 for nothing. The only place that is as large as the wafer:
-- rows[y][x + 1], where nil is nothing, so that a channel of one column takes no whole rows.
--
-- Rows that got the same in the same calls are one table, and sharers[row] says for how many it
-- stands; what only some of them get makes a copy. So a column costs a step per row, not one per
-- PE of it, in all that looks at rows.
local progression = require "wse.layout.progression"
local ipairs, next, pairs, setmetatable = ipairs, next, pairs, setmetatable
local concat, sort, move = table.concat, table.sort, table.move

local Plane = {__metatable = false}
Plane.__index = Plane

local plane = {}

local kNothingSeen = {ys = {}}

function plane.make(width, height)
  local nothing = {}
  for x = 1, width do nothing[x] = 0 end
  return setmetatable({width = width, height = height, nothing = nothing, buffer = {}, rows = {},
                       sharers = {}, seen = kNothingSeen}, Plane)
end

function Plane:get(x, y)
  local row = self.rows[y]
  return row and row[x + 1] or 0
end

local kEmpty = {}  -- stands for the rows that are not there

-- A copy of the row, which `count` of its sharers get.
local function split(self, row, count)
  local own, sharers = {}, self.sharers
  for x, id in pairs(row) do own[x] = id end
  if row ~= kEmpty then sharers[row] = sharers[row] - count end
  sharers[own] = count
  self.seen = kNothingSeen
  return own
end

-- The row y, to be written: element x + 1 is that of PE (x, y).
function Plane:row(y)
  local row = self.rows[y] or kEmpty
  if self.sharers[row] ~= 1 then
    row = split(self, row, 1)
    self.rows[y] = row
  end
  return row
end

-- The rows of a progression, each once: {{row, first y, how many}, ...}. Columns come one after the
-- other and ask for the same rows again.
local function different_rows(self, ys)
  local seen = self.seen.ys
  if seen[1] == ys[1] and seen[2] == ys[2] and seen[3] == ys[3] then return self.seen.list end
  local rows, list, at = self.rows, {}, {}
  for y = ys[1], ys[2], ys[3] do
    local row = rows[y] or kEmpty
    local item = at[row]
    if item then
      item[3] = item[3] + 1
    else
      item = {row, y, 1}
      list[#list + 1], at[row] = item, item
    end
  end
  self.seen = {ys = ys, list = list}
  return list
end

-- Every PE of the region gets merge(what it has, x, y), or `id` where it has nothing. Of PEs in
-- rows that are alike, merge is asked once.
function Plane:fill(pieces, id, merge)
  local rows = self.rows
  for _, piece in ipairs(pieces) do
    local first, last, step = piece[1][1], piece[1][2], piece[1][3]
    local ys, written = piece[2], {}
    for _, item in ipairs(different_rows(self, ys)) do
      local row, y, count = item[1], item[2], item[3]
      local own = self.sharers[row] == count and row or split(self, row, count)
      for x = first + 1, last + 1, step do
        local old = own[x]
        own[x] = old and merge(old, x - 1, y) or id
      end
      if own ~= row then written[row] = own end
    end
    if next(written) then
      for y = ys[1], ys[2], ys[3] do rows[y] = written[rows[y] or kEmpty] or rows[y] end
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

-- Calls look(what it has, x, y) where PEs of the region have something, once of rows that are alike.
function Plane:check(pieces, look)
  for _, piece in ipairs(pieces) do
    local first, last, step = piece[1][1], piece[1][2], piece[1][3]
    for _, item in ipairs(different_rows(self, piece[2])) do
      local row = item[1]
      for x = first, row ~= kEmpty and last or -1, step do
        if row[x + 1] then look(row[x + 1], x, item[2]) end
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

-- The kinds of rows, in the order of their first ones: {pieces, ys = {y, ...}}
local function kinds_of_rows(self, content_of)
  local kind_of_row, kind_of_key, kinds = {}, {}, {}
  for y = 0, self.height - 1 do
    local row = self.rows[y]
    local kind = kind_of_row[row or kEmpty]
    if row and not kind then
      local whole = self:whole_row(y)
      local key = concat(whole, ",")
      kind = kind_of_key[key]
      if not kind then
        kind = {pieces = pieces_of_row(whole, content_of), ys = {}}
        kind_of_key[key], kinds[#kinds + 1] = kind, kind
      end
      kind_of_row[row] = kind
    end
    if kind then kind.ys[#kind.ys + 1] = y end
  end
  return kinds
end

-- The progressions of the y's of some kinds of rows.
local function cover_of_kinds(kinds)
  local first = kinds[1]
  if #kinds == 1 then
    first.cover = first.cover or progression.cover(first.ys)
    return first.cover
  end
  local ys = {}
  for _, kind in ipairs(kinds) do move(kind.ys, 1, #kind.ys, #ys + 1, ys) end
  sort(ys)
  return progression.cover(ys)
end

-- Returns the pieces that rows have in common: {content, xs, kinds}
local function groups_of_pieces(self, content_of)
  local groups, order = {}, {}
  for _, kind in ipairs(kinds_of_rows(self, content_of)) do
    for _, piece in ipairs(kind.pieces) do
      local group = groups[piece[3]]
      if not group then
        group = {content = piece[1], xs = piece[2], kinds = {}}
        groups[piece[3]], order[#order + 1] = group, group
      end
      group.kinds[#group.kinds + 1] = kind
    end
  end
  return order
end

-- Few disjoint rectangles for each content: {content, {xs, ys}} in the order of their first PEs.
-- content_of[id]: a small integer; ids with one content are one.
function Plane:cover(content_of)
  local found = {}
  for _, group in ipairs(groups_of_pieces(self, content_of)) do
    for _, ys in ipairs(cover_of_kinds(group.kinds)) do
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
