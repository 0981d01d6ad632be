-- A whole step as vector instructions, for each phase of the buffers: fields with two levels swap them
-- every step, so there is code for two steps. Blocks are not known here: operands count from the first
-- cell of a block.
local axpy = require "stencil.compile.axpy"
local groups = require "stencil.compile.groups"
local host = require "wse.host"
local memory = require "stencil.compile.memory"
local mirrors = require "stencil.compile.mirrors"
local normal = require "stencil.compile.normal"
local numbers = require "stencil.compile.numbers"
local regions = require "stencil.lang.regions"
local shapes = require "stencil.compile.shape"
local spans = require "stencil.compile.spans"
local sums = require "stencil.compile.sums"
local travel = require "stencil.compile.travel"
local format = string.format

local lower = {}

local Step = {}
Step.__index = Step

local kLevelNames = {[1] = {"cells"}, [2] = {"even", "odd"}, [3] = {"first", "second", "third"}}

local kTurns = {"", " in every second step", " in every third step"}

-- Returns the region of a field's level in a phase.
function Step:region(field, level, phase)
  local list = self.buffers[field]
  local at = phase + (level == "next" and 1 or level == "before" and -1 or 0)
  return list[at % #list + 1]
end

-- ---- what the grid needs

-- Returns the margins of the fields: {[field] = cells along z}, the halo of a plane, and {[field] = whether neighbours are read}.
local function margins_of(list)
  local margins, halo, has_neighbours = {}, {west = 0, east = 0, north = 0, south = 0}, {}
  for _, group in ipairs(list) do
    for _, update in ipairs(group) do
      normal.each_access(update.linear, function(access)
        local dx, dy, dz = table.unpack(access.offset)
        has_neighbours[access.field] = has_neighbours[access.field] or dx ~= 0 or dy ~= 0 or dz ~= 0
        margins[access.field] = math.max(margins[access.field] or 0, math.abs(dz))
        halo.west, halo.east = math.max(halo.west, -dx), math.max(halo.east, dx)
        halo.north, halo.south = math.max(halo.north, -dy), math.max(halo.south, dy)
      end)
    end
  end
  return margins, halo, has_neighbours
end

-- Messages of a column take its margin along: that of a field of which neighbours are read is as wide as the widest of the grid.
local function widest(margins)
  local most = 0
  for _, margin in pairs(margins) do most = math.max(most, margin) end
  return most
end

function Step:add_fields(levels, margins)
  local most = widest(margins)
  for _, field in ipairs(self.grid.fields) do
    self.buffers[field] = {}
    for k = 1, levels[field] do
      local margin = self.shape.is_column and (self.has_neighbours[field] and most or 0) or 1
      self.buffers[field][k] = self.plan:add{
        name = format("%s_%s", field.name, kLevelNames[levels[field]][k]), margin = margin, field = field,
        half = field.type == "f16", parity = self.parities[field],
        what = "cells of " .. field.name .. kTurns[levels[field]]}
    end
  end
end

-- Whether instructions have images, in a mirror or beyond a surface.
function Step:has_images()
  local found = next(self.grid.mirror) ~= nil
  for _, field in ipairs(self.grid.fields) do found = found or field.image ~= nil end
  return found
end

local kMostShown = 50  -- letters of the text of an array

-- ---- the cells of a region that groups use

-- Notes that a group uses a region on spans, on the whole column if these are nil.
local function note_use(region, own)
  if own and not region.is_used_whole then
    local list = region.used or {}
    for _, range in ipairs(own) do list[#list + 1] = range end
    region.used = list
  else
    region.is_used_whole = true
  end
end

-- Fields that hold more than what updates set must be there as a whole: with values to begin with, neighbours that are read,
-- sources and receivers.
local function needs_column(step, field)
  if step.levels[field] > 1 or field.initial_number ~= 0 or field.before_number ~= 0 or step.has_neighbours[field] then
    return true
  end
  for _, list in ipairs{step.grid.injections, step.grid.recordings} do
    for _, one in ipairs(list) do
      if one.field == field then return true end
    end
  end
  return false
end

-- Gives regions that groups use on spans only memory for these alone.
local function shrink(step)
  if not step.shape.is_column then return end
  for _, region in ipairs(step.plan.list) do
    local can = region.used and not region.is_used_whole and not region.is_scalar
    if can and not (region.field and needs_column(step, region.field)) then
      region.spans, region.margin = spans.merged(region.used), 0
    end
  end
end

-- Returns the spans of a group; nil if it is computed on the whole column: where levels swap, all cells move.
local function spans_of(step, group)
  if not step.shape.is_column or step.grid.mirror.z then return nil end
  local boxes = {}
  for _, update in ipairs(group) do
    if step.levels[update.field] > 1 then return nil end
    table.move(update.boxes, 1, #update.boxes, #boxes + 1, boxes)
  end
  return spans.of_boxes(boxes, step.shape.cells)
end

-- Returns the operand of an array that the host computes: {scalar = name} if a PE has one value, unless
-- all of it is wanted.
function Step:array(factor, is_whole, own, ops)
  if factor.number then
    if is_whole then
      host.raise(format("update: %s is added to fields; a number of a step is multiplied by one", tostring(factor.number)))
    end
    return {scalar = self.numbers:factor(factor.number, ops)}
  end
  local is_scalar = factor.is_scalar and not is_whole
  local key = (is_scalar and "scalar " or "") .. factor.key
  if not self.arrays[key] then
    self.array_count = self.array_count + 1
    self.arrays[key] = self.plan:add{
      name = format("%s_%d", is_scalar and "value" or "array", self.array_count), margin = 0, array = factor.value,
      is_scalar = is_scalar, is_undecided = not is_scalar,
      what = #factor.key < kMostShown and factor.key or "what the host computes"}
  end
  local region = self.arrays[key]
  note_use(region, own)
  return is_scalar and {scalar = region.name} or {region = region, delta = 0}
end

-- ---- a group

-- Returns the term of an update that is its field before, if the new field may be computed in its place.
local function before_of(update, group, levels, grid)
  if levels[update.field] ~= 2 or not regions.is_whole(grid, update.boxes) then return nil end
  local count, found = 0, nil
  for _, other in ipairs(group) do
    normal.each_access(other.linear, function(access)
      if access.field == update.field and access.level == "before" then count = count + 1 end
    end)
  end
  for _, term in ipairs(update.linear.terms) do
    local factor = term.factor
    if factor.kind == "access" and factor.field == update.field and factor.level == "before"
       and factor.offset[1] == 0 and factor.offset[2] == 0 and factor.offset[3] == 0 then
      found = term
    end
  end
  return count == 1 and found or nil
end

-- The cells of a field that no update of the group sets keep their value: where levels swap, it moves.
local function add_kept_cells(step, group, made, phase)
  local seen = {}
  for _, update in ipairs(group) do
    local field = update.field
    if step.levels[field] > 1 and not seen[field] and update.is_first then
      seen[field] = true
      local boxes = {regions.whole(step.grid)}
      for _, other in ipairs(group) do
        if other.field == field then boxes = regions.without(boxes, other.boxes) end
      end
      for _, box in ipairs(boxes) do
        made:op("kept cells", "fmovs", {region = step:region(field, "next", phase), delta = 0},
                {region = step:region(field, "now", phase), delta = 0}).box = box
      end
    end
  end
end

-- Returns the fields whose halos a group reads, each once: {field, level, west, east, north, south,
-- corners}.
local function halos_of(group)
  local list, by_key = {}, {}
  for _, update in ipairs(group) do
    normal.each_access(update.linear, function(access)
      local dx, dy = access.offset[1], access.offset[2]
      if dx == 0 and dy == 0 then return end
      local key = access.field.name .. "." .. access.level
      local halo = by_key[key]
      if not halo then
        halo = {field = access.field, level = access.level, west = 0, east = 0, north = 0, south = 0}
        by_key[key], list[#list + 1] = halo, halo
      end
      halo.west, halo.east = math.max(halo.west, -dx), math.max(halo.east, dx)
      halo.north, halo.south = math.max(halo.north, -dy), math.max(halo.south, dy)
      halo.corners = halo.corners or dx ~= 0 and dy ~= 0
    end)
  end
  return list
end

-- Whether a total adds up products of two columns.
function Step:is_product(item) return self.shape.is_column and axpy.product_of(item.linear) ~= nil end

-- Adds the totals of a group: the sum of each over the cells of a block, to a register, {"total", operand, k, sign}; of products of two
-- columns {"dot", operand, operand, k}.
function Step:add_totals(group, made)
  self.numbers:add_totals(group)
  made.ops.totals, made.ops.count = group.totals, #group
  local tops = {}
  for k, item in ipairs(group) do
    tops[k] = not self:is_product(item) and made:declare(item.linear, "total " .. k)
  end
  made:begin()
  for k, top in ipairs(tops) do
    if top then
      made:finish(top)
      local part = made:joined(top)
      made:op("totals", "total", part.operand, k, part.sign)
      made:give_back(part)
    else
      local one, other = axpy.product_of(group[k].linear)
      made:add_products(made:place_of(one), made:place_of(other), k)
    end
  end
  return made.ops
end

-- Adds an update that is computed in place.
function Step:add_multiples(update, made, phase, before)
  axpy.add(made, update, self:region(update.field, "next", phase), function(access)
    return self:region(access.field, access.level, phase)
  end, function(number) return {scalar = self.numbers:factor(number, before)} end)
end

function Step:group(group, phase)
  local own = not group.totals and spans_of(self, group) or nil
  local before = {}
  local made = sums.new(self.plan, self.shape, function(access)
    local delta = self.shape:delta(access.offset)
    return delta and {region = self:region(access.field, access.level, phase), delta = delta}
  end, function(factor, is_whole) return self:array(factor, is_whole, own, before) end)
  made.ops.before = before
  for _, update in ipairs(group) do
    if update.field then note_use(self:region(update.field, "next", phase), own) end
    normal.each_access(update.linear, function(access)
      note_use(self:region(access.field, access.level, phase), own)
    end)
  end
  if group.totals then return self:add_totals(group, made) end
  mirrors.add_margins(self.grid, group, made.ops, function(access) return self:region(access.field, access.level, phase) end)
  if not self.shape.is_column then
    for _, halo in ipairs(halos_of(group)) do
      halo.region = self:region(halo.field, halo.level, phase)
      made.ops[#made.ops + 1] = {"halo", halo = halo, cause = "exchange"}
    end
  end
  local tops = {}
  for k, update in ipairs(group) do
    tops[k] = not update.in_place and made:declare(update.linear, "update " .. k) or nil
    local term = tops[k] and before_of(update, group, self.levels, self.grid)
    if term then
      local target = self:region(update.field, "next", phase)
      for at, near in ipairs(tops[k].near) do
        if near.access == term.factor then table.remove(tops[k].near, at) break end
      end
      made:in_place(tops[k], target, term.coef)
    end
  end
  made:begin()
  if self.shape.is_column then
    travel.exchange(self.grid, made, self.travelling, function(broadcast)
      return self:region(broadcast.field, broadcast.level, phase)
    end, self.mode, self.widest, self.compact)
  end
  for k = 1, #group do
    if tops[k] then made:finish(tops[k]) end
  end
  for k, update in ipairs(group) do
    if tops[k] then made:write(tops[k], self:region(update.field, "next", phase), update.boxes) end
  end
  for k, update in ipairs(group) do
    if not tops[k] then self:add_multiples(update, made, phase, before) end
  end
  add_kept_cells(self, group, made, phase)
  made.ops.spans = own
  return made.ops
end

local function lcm(a, b)
  local x, y = a, b
  while y > 0 do x, y = y, x % y end
  return a // x * b
end

-- Returns the step: {plan =, shape =, phases = list of lists of groups, each a list of instructions with `spans` where it is for part
-- of a column}.
-- several: whether blocks are parts of a column; mode and widest: how words travel, see colours.lua; compact: whether code and the
-- memory of sums are to be small rather than fast.
function lower.step(grid, several, mode, widest, compact)
  local context = normal.new(grid)
  local list = groups.of(grid, context, compact)
  local levels = groups.levels(grid, list, several)
  local margins, halo, has_neighbours = margins_of(list)
  local self = setmetatable({grid = grid, levels = levels, buffers = {}, arrays = {}, array_count = 0, mode = mode, compact = compact,
                             widest = widest, has_neighbours = has_neighbours, half = grid.type == "f16",
                             parities = axpy.mark(grid, list, levels, has_neighbours)}, Step)
  self.shape = shapes.of(grid, halo)
  self.plan = memory.new(self.shape, self.half)
  self.numbers = numbers.new(grid, self.plan)
  self.travelling = travel.buffers(self.plan)
  self:add_fields(levels, margins)
  local period = 1
  for _, count in pairs(levels) do period = lcm(period, count) end
  self.phases = {}
  for phase = 0, period - 1 do
    self.phases[phase + 1] = {}
    self.numbers:begin()
    for k, group in ipairs(list) do self.phases[phase + 1][k] = self:group(group, phase) end
    self.phases[phase + 1].ending, self.phases[phase + 1].has_totals = self.numbers:ending(grid), #grid.totals > 0
  end
  shrink(self)
  return self
end

lower.Step = Step
return lower
