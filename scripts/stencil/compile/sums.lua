-- Sums: from linear forms to vector instructions, over a block of one PE. Each instruction is {op, dst,
-- source, ...} with operands {region =, delta =}, {scalar = name} for one value of a PE, or numbers.
--
-- No two sources of an instruction should lie in one half of the banks, so a sum has an accumulator for
-- the terms of either parity: the accumulator of parity 1 takes the words of parity 0, and the other
-- way round. The field before can be one of them, in place, its sign turned.

local clusters = require "stencil.compile.clusters"

local sums = {}

local Sums = {}
Sums.__index = Sums

-- plan: of memory.lua; locate(access): its operand, or nil if it must travel; array(factor, is_whole): its
-- operand, not a scalar if is_whole.
function sums.new(plan, shape, locate, array)
  return setmetatable({plan = plan, shape = shape, locate = locate, array = array, ops = {}, of = {}, products = {},
                       order = {}}, Sums)
end

function Sums:op(cause, ...)
  local op = {...}
  op.cause = cause
  self.ops[#self.ops + 1] = op
  return op
end

local parity_of = clusters.parity_of

-- Returns the operand of a field or an array in the PE, of all its cells.
function Sums:place_of(factor)
  return factor.kind == "array" and self.array(factor, true) or self.locate(factor)
end

-- Adds the products of two columns, cell by cell, to total k: {"dot", operand, operand, k, ring = two sums in memory, which take turns}.
-- These lie in the other half of the banks than the first operand.
function Sums:add_products(one, other, k)
  for _, operand in ipairs{one, other} do operand.region.is_undecided = nil end
  self:op("totals", "dot", one, other, k).ring = self.plan:ring(1 - parity_of(one))
end

-- ---- accumulators

-- Returns the accumulator of a sum for terms that lie in memory of this parity; makes it if the sum has
-- words of both parities and only the other one.
function Sums:accumulator(sum, parity)
  local wanted = 1 - parity
  if sum.parts[wanted] then return sum.parts[wanted] end
  if sum.parts[1 - wanted] and not sum.wants[wanted] then return sum.parts[1 - wanted] end
  local part = {operand = {region = self.plan:take(wanted), delta = 0}, sign = 1, temporary = true}
  sum.parts[wanted] = part
  return part
end

-- Adds coef * source, which lies in memory.
function Sums:add_memory(sum, source, coef, cause)
  local part = self:accumulator(sum, parity_of(source))
  local dst, by = part.operand, coef * part.sign
  if not part.started then
    part.started = true
    if by == 1 then return self:op(cause, "fmovs", dst, source) end
    if by == -1 then return self:op(cause, "fnegs", dst, source) end
    return self:op(cause, "fmuls", dst, source, by)
  end
  if by == 1 then return self:op(cause, "fadds", dst, dst, source) end
  if by == -1 then return self:op(cause, "fsubs", dst, dst, source) end
  self:op(cause, "fmacs", dst, dst, source, by)
end

-- Adds scalar * source, which lies in memory, to a sum whose parts have no sign.
function Sums:add_scaled(sum, source, scalar)
  local part = self:accumulator(sum, parity_of(source))
  if part.started then return self:op("products", "fmacs", part.operand, part.operand, source, scalar) end
  part.started = true
  self:op("products", "fmuls", part.operand, source, scalar)
end

-- Returns an accumulator that has begun, for words that arrive.
function Sums:for_words(sum)
  local part = sum.parts[1] or sum.parts[0] or self:accumulator(sum, 0)
  if not part.started then
    part.started = true
    self:op("sums", "fmovs", part.operand, 0.0)
  end
  return part
end

-- ---- sums

-- Returns the state of a linear form: its parts by parity, and how often it is used.
function Sums:declare(linear, key)
  local sum = self.of[key]
  if sum then
    sum.uses = sum.uses + 1
    return sum
  end
  sum = {linear = linear, key = key, uses = 1, parts = {}, wants = {}, remote = {}, near = {}, products = {}}
  self.of[key] = sum
  for _, term in ipairs(linear.terms) do
    local factor = term.factor
    if factor.kind == "product" then
      self:declare_factors(factor)
      sum.products[#sum.products + 1] = term
    else
      local operand = factor.kind == "array" and self.array(factor, true) or self.locate(factor)
      local list = operand and sum.near or sum.remote
      list[#list + 1] = {coef = term.coef, operand = operand, access = factor}
      if operand then operand.region.is_undecided = nil end
      if operand then sum.wants[1 - parity_of(operand)] = true end
    end
  end
  self.order[#self.order + 1] = sum
  return sum
end

function Sums:declare_factors(product)
  local known = self.products[product.key]
  if known then
    known.uses = known.uses + 1
    return
  end
  self.products[product.key] = {uses = 1, factors = product.factors}
  for _, factor in ipairs(product.factors) do
    if factor.kind == "sum" then self:declare(factor.linear, factor.key) end
  end
end

-- A sum begins late, with a product, if no word that arrives belongs to it: it then continues in the
-- memory of that product.
local function is_late(sum) return #sum.products > 0 and #sum.remote == 0 end

-- Uses the region `target`, which holds the field before, as the part of parity 0.
function Sums:in_place(sum, target, coef)
  local part = {operand = {region = target, delta = 0}, sign = coef > 0 and 1 or -1, started = true}
  if math.abs(coef) ~= 1 then self:op("field before", "fmuls", part.operand, part.operand, math.abs(coef)) end
  sum.parts[target.parity] = part
end

function Sums:add_near(sum) clusters.add(self, sum, sum.near, "in the PE") end

-- The terms that lie in memory, of all sums that do not begin late.
function Sums:begin()
  for _, sum in ipairs(self.order) do
    sum.is_late = is_late(sum)
    if not sum.is_late then self:add_near(sum) end
  end
end

-- ---- products

function Sums:give_back(part)
  if part.temporary then self.plan:give_back(part.operand.region) end
end

-- Returns one part that holds the whole sum.
function Sums:joined(sum)
  local one, other = sum.parts[1], sum.parts[0]
  if not one or not other then return one or other end
  if not one.temporary or other.sign == 1 and one.sign == -1 then one, other = other, one end
  local op = one.sign == other.sign and "fadds" or "fsubs"
  self:op("sums", op, one.operand, one.operand, other.operand)
  self:give_back(other)
  sum.parts = {[one.operand.region.parity] = one}
  return one
end

-- Returns {operand, part}: where a factor lies; part if the caller may write there.
function Sums:factor_value(factor)
  if factor.kind == "array" then return {operand = self.array(factor)} end
  if factor.kind == "access" then return {operand = self.locate(factor) or factor.buffer} end
  local sum = self.of[factor.key]
  self:finish(sum)
  local part = self:joined(sum)
  sum.uses = sum.uses - 1
  return {operand = part.operand, part = sum.uses == 0 and part or nil, sign = part.sign}
end

-- An array whose parity nobody has relied on yet begins in the other half of the banks than what it is
-- multiplied with.
local function choose_parity(operands)
  local region, other = operands[1].region, operands[2]
  if region and region.is_undecided then
    region.is_undecided = nil
    region.parity = other.region and 1 - parity_of(other) or region.parity
  end
end

-- Returns the part that holds a product, computed once; its sign belongs to it.
function Sums:product(factor)
  local product = self.products[factor.key]
  product.uses = product.uses - 1
  if product.part then return product.part, product.uses == 0 end
  local sign, result, operands, done = 1, nil, {}, {}
  for _, one in ipairs(product.factors) do
    local value = self:factor_value(one)
    operands[#operands + 1], sign = value.operand, sign * (value.sign or 1)
    if value.part and result then
      done[#done + 1] = value.part
    elseif value.part then
      result = value.part
    end
  end
  choose_parity(operands)
  if operands[1].scalar then operands[1], operands[2] = operands[2], operands[1] end
  local parity = 1 - parity_of(operands[1])
  result = result or {operand = {region = self.plan:take(parity), delta = 0}, temporary = true}
  local first, second = operands[1], operands[2]
  if second == result.operand then first, second = second, first end
  self:op("products", "fmuls", result.operand, first, second)
  for k = 3, #operands do self:op("products", "fmuls", result.operand, result.operand, operands[k]) end
  for _, part in ipairs(done) do self:give_back(part) end
  result.sign, result.started, product.part = sign, true, result
  return result, product.uses == 0
end

local function has_sign(sum)
  for _, part in pairs(sum.parts) do
    if part.sign ~= 1 then return true end
  end
  return false
end

-- Adds a product of one value of the PE and another factor in one instruction. Returns false if others
-- want the product, or signs are in the way.
function Sums:add_scalar_product(sum, term)
  local product = self.products[term.factor.key]
  local first = product.factors[1]
  if first.kind ~= "array" or not first.is_scalar or #product.factors ~= 2 then return false end
  if product.uses > 1 or product.part or term.coef ~= 1 or has_sign(sum) then return false end
  local scalar, value = self.array(first), self:factor_value(product.factors[2])
  if value.sign == -1 then
    local part = {operand = {region = self.plan:take(1 - parity_of(value.operand)), delta = 0}, temporary = true}
    self:op("products", "fmuls", part.operand, value.operand, scalar)
    self:add_memory(sum, part.operand, -1, "products")
    self:give_back(part)
  else
    self:add_scaled(sum, value.operand, scalar)
  end
  if value.part then self:give_back(value.part) end
  return true
end

function Sums:add_product(sum, term)
  if self:add_scalar_product(sum, term) then return end
  local part, is_last = self:product(term.factor)
  local parity = part.operand.region.parity
  local is_unit = math.abs(term.coef) == 1
  if is_last and is_unit and not sum.parts[parity] then
    sum.parts[parity] = {operand = part.operand, sign = part.sign * term.coef, temporary = part.temporary,
                         started = true}
    return
  end
  self:add_memory(sum, part.operand, term.coef * part.sign, "products")
  if is_last then self:give_back(part) end
end

-- Adds what needs other sums, and the constant.
function Sums:finish(sum)
  if sum.finished then return end
  sum.finished = true
  for _, term in ipairs(sum.products) do self:add_product(sum, term) end
  if sum.is_late then self:add_near(sum) end
  local part = sum.parts[1] or sum.parts[0]
  local constant = sum.linear.constant
  if not part then
    part = self:accumulator(sum, 0)
    self:op("sums", "fmovs", part.operand, constant)
    part.started = true
  elseif constant ~= 0 then
    self:op("sums", "fadds", part.operand, part.operand, constant * part.sign)
  end
end

-- ---- what is written

-- Whether the last instruction, which ends a sum in `part`, may as well write to a region: it must not
-- read other cells of it.
local function can_write(op, part, target)
  if not op or op.box or op[2] ~= part.operand or not part.temporary then return false end
  for k = 3, #op do
    local operand = op[k]
    if type(operand) == "table" and operand.region == target and operand.delta ~= 0 then return false end
  end
  return true
end

-- Lets the last instruction write to the target, once for each box.
local function redirect(self, dst, boxes)
  local last = table.remove(self.ops)
  for _, box in ipairs(boxes) do
    local op = self:op("new field", last[1], dst, table.unpack(last, 3))
    op.box = box
  end
end

-- Returns the parts of a finished sum such that the first one has no sign, if either has none.
local function in_order(self, sum)
  local one, other = sum.parts[1], sum.parts[0]
  if one and other and one.sign ~= 1 and other.sign ~= 1 then return self:joined(sum) end
  if one and other and one.sign ~= 1 then return other, one end
  return one or other, one and other
end

-- Writes a finished sum to a region of cells, on the boxes only.
function Sums:write(sum, target, boxes)
  local dst, one, other = {region = target, delta = 0}, in_order(self, sum)
  if not other and one.sign == 1 and can_write(self.ops[#self.ops], one, target) then
    redirect(self, dst, boxes)
  else
    for _, box in ipairs(boxes) do
      local op
      if other then
        op = self:op("new field", other.sign == 1 and "fadds" or "fsubs", dst, one.operand, other.operand)
      elseif one.operand.region ~= target or one.sign ~= 1 then
        op = self:op("new field", one.sign == 1 and "fmovs" or "fnegs", dst, one.operand)
      end
      if op then op.box = box end
    end
  end
  for _, part in pairs(sum.parts) do self:give_back(part) end
end

return sums
