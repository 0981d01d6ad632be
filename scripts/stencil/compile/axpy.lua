-- Updates of one field and numbers of the step times fields, as in r.next = r + -alpha * q.next: each multiple is one instruction that
-- multiplies and adds, on the cells of the field itself, without a sum in between. Fields of f32 in a grid of f16 are set in this way alone.
local host = require "wse.host"
local normal = require "stencil.compile.normal"
local format = string.format

local axpy = {}

local function is_own(access) return access.offset[1] == 0 and access.offset[2] == 0 and access.offset[3] == 0 end

-- Returns the parts of an update, {near = an access, multiples = list of {number =, access =}}; nil if it has another form. The field that
-- is set comes first among the multiples if it is one.
local function parts_of(update)
  local near, multiples = nil, {}
  if update.linear.constant ~= 0 then return nil end
  for _, term in ipairs(update.linear.terms) do
    local factor = term.factor
    if factor.kind == "access" and term.coef == 1 and not near and is_own(factor) then
      near = factor
    else
      local factors = factor.kind == "product" and factor.factors or {}
      local number, access = factors[1] and factors[1].number, factors[2]
      if #factors ~= 2 or not number or access.kind ~= "access" or not is_own(access) then return nil end
      local at = access.field == update.field and 1 or #multiples + 1
      table.insert(multiples, at, {number = term.coef == 1 and number or term.coef * number, access = access})
    end
  end
  if not near or #multiples == 0 or near.field == update.field and multiples[1].access.field == update.field then return nil end
  return {near = near, multiples = multiples}
end

-- Whether a field that a part reads has, when all other updates of the group are computed, the value that the update wants. Other updates
-- of its own field set other cells.
local function is_kept(group, update, access)
  if access.field == update.field then return access.level ~= "before" end
  for _, other in ipairs(group) do
    if other.field == access.field then return false end
  end
  return true
end

-- Returns the parts of an update that is computed in place, as of parts_of; nil if it is not. levels: of groups.levels.
local function in_place(group, update, levels)
  local own = levels[update.field] == 1 and parts_of(update)
  if not own or not is_kept(group, update, own.near) then return nil end
  for _, one in ipairs(own.multiples) do
    if not is_kept(group, update, one.access) then return nil end
  end
  return own
end

-- Errors: a field of f32 in a grid of f16 that is set or read otherwise than here.
local function check_wide(grid, group)
  if grid.type ~= "f16" then return end
  for _, item in ipairs(group) do
    local own = item.in_place
    local field = item.field
    if field and field.type == "f32" and not (own and own.near.field == field) then
      host.raise(format("update: %s is f32 in a grid of f16; %s + numbers of the step times fields of f16 is wanted (%s)", field.name,
                        field.name, item.line))
    end
    normal.each_access(item.linear, function(access)
      if access.field.type == "f32" and not (access.field == field and own.near == access) then
        host.raise(format("update: %s, which is read, is f32 in a grid of f16; its own update alone may read it (%s)", access.field.name,
                          item.line))
      end
    end)
  end
end

-- Gives the updates of groups that are computed in place their parts, as `in_place`. Returns {[field] = parity}: fields that an instruction
-- reads together begin in different halves of the banks, as far as two halves do. Those of which neighbours are read, as has_neighbours says,
-- begin alike, since arrays that are multiplied with all of them lie in the other half.
function axpy.mark(grid, list, levels, has_neighbours)
  local parities = {}
  for field, is_read in pairs(has_neighbours) do parities[field] = is_read and 0 or nil end
  local function part(one, other)
    if one == other then return end
    if not parities[one] and not parities[other] then parities[other] = 0 end
    if not parities[one] then parities[one] = 1 - parities[other] end
    if not parities[other] then parities[other] = 1 - parities[one] end
  end
  for _, group in ipairs(list) do
    for _, update in ipairs(group.totals and {} or group) do
      update.in_place = grid.dims == 3 and in_place(group, update, levels) or nil
      for k, one in ipairs(update.in_place and update.in_place.multiples or {}) do
        part(k == 1 and update.in_place.near.field or update.field, one.access.field)
      end
    end
    check_wide(grid, group)
  end
  return parities
end

-- Adds the instructions of an update that is computed in place. region(access): where a field lies; scalar(number): the operand of a number.
function axpy.add(made, update, target, region, scalar)
  local dst = {region = target, delta = 0}
  for _, box in ipairs(update.boxes) do
    local from = {region = region(update.in_place.near), delta = 0}
    for _, one in ipairs(update.in_place.multiples) do
      made:op("multiples", "fmacs", dst, from, {region = region(one.access), delta = 0}, scalar(one.number)).box = box
      from = dst
    end
  end
end

-- Returns the two operands of a total that is a product of two fields or arrays, of its cells; nil if it has another form.
function axpy.product_of(linear)
  local term = linear.terms[1]
  if linear.constant ~= 0 or #linear.terms ~= 1 or term.coef ~= 1 or term.factor.kind ~= "product" then return nil end
  local factors = term.factor.factors
  if #factors ~= 2 then return nil end
  for _, factor in ipairs(factors) do
    local fits = factor.kind == "access" or factor.kind == "array" and not factor.number
    if not fits then return nil end
  end
  return factors[1], factors[2]
end

return axpy
