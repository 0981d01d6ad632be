-- The words that travel between the columns of PEs, each once, although several equations read it.
--
-- A column that PE (x + dx, y + dy) holds is needed here. Along an axis it comes by a localized
-- broadcast: every PE sends to the PEs from `left` before to `right` behind itself, seen from those that
-- receive. Columns with dx and dy take two moves: along x into a buffer, whose PE sends it on along y.
-- A word that one sum needs once, from the same z, is multiplied and added as it arrives. Others are
-- kept in a buffer of their own until all have arrived, so that each step of a broadcast takes all PEs
-- the same time: nobody waits for one that computes. A word that is only multiplied with one array is multiplied as it arrives, and the
-- products are kept.
local clusters = require "stencil.compile.clusters"
local mirrors = require "stencil.compile.mirrors"
local normal = require "stencil.compile.normal"
local format = string.format

local travel = {}

local function key_of(access, dx, dy) return format("%s.%s@%d,%d", access.field.name, access.level, dx, dy) end

-- Finds or creates the column of an access or another column.
local function column_of(columns, access, dx, dy)
  local key = key_of(access, dx, dy)
  if not columns[key] then
    columns[key] = {field = access.field, level = access.level, dx = dx, dy = dy, adds = {}, reach = 0,
                    key = key}
    columns[#columns + 1] = columns[key]
  end
  return columns[key]
end

-- Returns the columns that sums and products need of other PEs.
local function needed(sums)
  local columns = {}
  local function note(access)
    if access.offset[1] == 0 and access.offset[2] == 0 then return nil end
    local column = column_of(columns, access, access.offset[1], access.offset[2])
    column.reach = math.max(column.reach, math.abs(access.offset[3]))
    return column
  end
  for _, sum in ipairs(sums.order) do
    for _, term in ipairs(sum.remote) do
      local column = note(term.access)
      column.adds[#column.adds + 1] = {sum = sum, dz = term.access.offset[3], coef = term.coef}
    end
    for _, term in ipairs(sum.products) do
      for _, factor in ipairs(term.factor.factors) do
        local column = factor.kind == "access" and note(factor)
        if column then
          column.kept = true
          column.products = column.products or {}
          table.insert(column.products, {sum = sum, term = term, access = factor})
        end
      end
    end
  end
  return columns
end

-- Returns the array that all words of a column are multiplied with, and nothing else is done with them; nil if there is none.
local function weight_of(sums, column)
  local one = #column.adds == 0 and column.products and #column.products == 1 and column.products[1]
  local factors = one and one.term.factor.factors
  if not factors or #factors ~= 2 or column.reach > 0 or column.is_sent_on or sums.products[one.term.factor.key].uses > 1 then return nil end
  local array = factors[1] == one.access and factors[2] or factors[1]
  return array.kind == "array" and not array.is_scalar and array or nil
end

-- Lets columns that are only multiplied with an array be multiplied as they arrive: what is kept are terms of sums.
local function add_weights(sums, columns)
  for _, column in ipairs(columns) do
    local array = weight_of(sums, column)
    if array then
      local own = column.products[1]
      column.weight = sums.array(array, true)
      column.weight.region.is_undecided = nil
      for k, term in ipairs(own.sum.products) do
        if term == own.term then table.remove(own.sum.products, k) break end
      end
      column.adds[1] = {sum = own.sum, dz = 0, coef = own.term.coef}
    end
  end
end

-- Columns that come along y from beside: what they are made of must come along x before, and stay.
local function add_first_moves(columns)
  for k = 1, #columns do
    local column = columns[k]
    if column.dx ~= 0 and column.dy ~= 0 then
      local first = column_of(columns, column, column.dx, 0)
      first.kept, first.is_sent_on, first.reach = true, true, math.max(first.reach, column.reach)
    end
  end
end

-- Groups columns into broadcasts {axis, left, right, reach, arrivals = {[offset] = column}}.
local function broadcasts_of(columns)
  local list, by_key = {}, {}
  for _, column in ipairs(columns) do
    local along_y = column.dy ~= 0
    local from = along_y and key_of(column, column.dx, 0) or key_of(column, 0, 0)
    local key = (along_y and "y " or "x ") .. from
    local broadcast = by_key[key]
    if not broadcast then
      broadcast = {axis = along_y and "y" or "x", left = 0, right = 0, reach = 0, arrivals = {},
                   source = along_y and column.dx ~= 0 and from or nil, field = column.field, level = column.level}
      by_key[key], list[#list + 1] = broadcast, broadcast
    end
    local offset = along_y and column.dy or column.dx
    broadcast.left, broadcast.right = math.max(broadcast.left, -offset), math.max(broadcast.right, offset)
    broadcast.reach = math.max(broadcast.reach, column.reach)
    broadcast.arrivals[offset] = column
  end
  return list
end

-- Returns the broadcasts as a mode has them: joined ones are as wide as the widest of their axis, switched
-- ones go one way each.
local function in_mode(list, mode, widest)
  if mode == "static" then return list end
  local result = {}
  for _, broadcast in ipairs(list) do
    local wide = widest[broadcast.axis]
    if mode == "joined" then
      broadcast.left, broadcast.right = wide.left, wide.right
      result[#result + 1] = broadcast
    else
      for _, side in ipairs{"left", "right"} do
        if broadcast[side] > 0 then
          local half = {left = 0, right = 0, arrivals = {}}
          half[side] = wide[side]
          for offset, column in pairs(broadcast.arrivals) do
            if (offset < 0) == (side == "left") then half.arrivals[offset] = column end
          end
          result[#result + 1] = setmetatable(half, {__index = broadcast})
        end
      end
    end
  end
  return result
end

-- A broadcast that sends columns on needs the margin of what it sends.
local function settle_reach(columns, list)
  for _, broadcast in ipairs(list) do
    if broadcast.source then
      local first = columns[broadcast.source]
      first.reach = math.max(first.reach, broadcast.reach)
    end
  end
  for _, broadcast in ipairs(list) do
    for _, column in pairs(broadcast.arrivals) do broadcast.reach = math.max(broadcast.reach, column.reach) end
    for _, column in pairs(broadcast.arrivals) do column.reach = broadcast.reach end
  end
end

-- ---- buffers and what happens on arrival

local Buffers = {}
Buffers.__index = Buffers

-- Returns the buffers of a program; groups share them. A buffer serves one direction only: where nobody
-- is in that direction nothing arrives, and it stays 0.
function travel.buffers(plan) return setmetatable({plan = plan, list = {}, used = {}}, Buffers) end

function Buffers:region(name, reach, parity)
  local list = self.list
  if not list[name] then
    list[name] = self.plan:add{name = name, parity = parity, temporary = true, margin = 0,
                               what = "columns of other PEs"}
  end
  list[name].margin = math.max(list[name].margin, reach)
  return list[name]
end

local function side_text(d, low, high) return d < 0 and low .. -d or d > 0 and high .. d or "" end

function Buffers:kept(column)
  local side = side_text(column.dx, "w", "e") .. side_text(column.dy, "n", "s")
  self.used[side] = (self.used[side] or 0) + 1
  -- Opposite columns, which often have one coefficient, lie in different halves of the banks.
  local parity = ((column.dx > 0 and 1 or 0) + (column.dy > 0 and 1 or 0)) % 2
  return self:region(format("halo_%s_%d", side, self.used[side]), column.reach, parity)
end

-- Returns how arrivals from an offset are handled: {buffer =, weight =, part =, coef =, key =}, with a buffer for them, or their products
-- with an array, or the part of a sum to which they are added. Where code is to be short, a column that nobody wants is added 0 times to the sum of another one.
local function handler_of(column, broadcast, sums, buffers, other)
  if not column and other then return {part = other, coef = 0.0, images = {}, key = other.operand.region.name} end
  if not column then return {buffer = buffers:region("dropped", broadcast.reach, 0), key = "dropped"} end
  if column.weight then return {buffer = column.region, weight = column.weight, key = "product " .. column.key} end
  if column.region then return {buffer = column.region, key = "kept"} end
  local add = column.adds[1]
  local part = sums:for_words(add.sum)
  local images = {}
  for at, coef in pairs(column.images or {}) do images[at] = coef * part.sign end
  return {part = part, coef = add.coef * part.sign, images = images, key = part.operand.region.name}
end

-- Returns the part of a sum to which arrivals of a broadcast are added; nil if all are kept.
local function part_of(broadcast, sums)
  for offset = -broadcast.left, broadcast.right do
    local column = broadcast.arrivals[offset]
    if column and not column.region then return sums:for_words(column.adds[1].sum) end
  end
end

-- Groups the offsets whose arrivals are handled alike but for coefficients and buffers. short: whether code is to be short.
local function group_offsets(broadcast, sums, buffers, short)
  local groups, by_key, other = {}, {}, short and part_of(broadcast, sums) or nil
  for offset = -broadcast.left, broadcast.right do
    if offset ~= 0 then
      local handler = handler_of(broadcast.arrivals[offset], broadcast, sums, buffers, other)
      local group = by_key[handler.key]
      if not group then
        group = {offsets = {}, handlers = {}}
        by_key[handler.key], groups[#groups + 1] = group, group
      end
      group.offsets[#group.offsets + 1], group.handlers[offset] = offset, handler
    end
  end
  broadcast.groups = groups
end

-- Adds the exchange of a group to the instructions of its sums; nothing if no word travels. region(access)
-- is where a field lies in its own PE; mode and widest: see colours.lua; short: whether code is to be short rather than fast.
function travel.exchange(grid, sums, buffers, region, mode, widest, short)
  local columns = needed(sums)
  if #columns == 0 then return end
  buffers.used = {}
  add_first_moves(columns)
  mirrors.complete(grid, columns, column_of, key_of)
  local list = broadcasts_of(columns)
  settle_reach(columns, list)
  list = in_mode(list, mode, widest)
  if next(grid.mirror) == nil then add_weights(sums, columns) end
  for _, broadcast in ipairs(list) do
    for _, column in pairs(broadcast.arrivals) do
      column.kept = column.kept or #column.adds ~= 1 or broadcast.reach > 0
    end
  end
  mirrors.keep(columns)
  for _, column in ipairs(columns) do
    if column.kept then column.region = buffers:kept(column) end
  end
  local images = mirrors.add(grid, columns, region)
  for _, broadcast in ipairs(list) do
    local source = broadcast.source and columns[broadcast.source].region or region(broadcast)
    broadcast.operand = {region = source, delta = 0}
    group_offsets(broadcast, sums, buffers, short)
  end
  for _, sum in ipairs(sums.order) do
    for _, term in ipairs(sum.products) do
      normal.each_access({terms = {{factor = term.factor}}}, function(access)
        local column = columns[key_of(access, access.offset[1], access.offset[2])]
        if column and column.region then access.buffer = {region = column.region, delta = access.offset[3]} end
      end)
    end
  end
  sums.ops[#sums.ops + 1] = {"exchange", broadcasts = list, cause = "exchange", images = images.within}
  for _, op in ipairs(images.behind) do sums.ops[#sums.ops + 1] = op end
  for _, image in ipairs(images.sums) do
    local part = sums:for_words(image.sum)
    sums:op("mirror", "fmacs", part.operand, part.operand, image.operand, image.coef * part.sign).box = image.box
  end
  for _, sum in ipairs(sums.order) do
    local terms = {}
    for _, column in ipairs(columns) do
      for _, add in ipairs(column.region and column.adds or {}) do
        local operand = {region = column.region, delta = add.dz}
        if add.sum == sum then terms[#terms + 1] = {operand = operand, coef = add.coef} end
      end
    end
    clusters.add(sums, sum, terms, "received columns")
  end
end

return travel
