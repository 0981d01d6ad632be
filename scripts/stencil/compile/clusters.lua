-- Terms with the same coefficient: they are added first, two elements in a cycle, and multiplied once.
-- Where all of them lie in one half of the banks that gains nothing.
local format = string.format

local clusters = {}

-- Returns the half of the banks, 0 or 1, in which an operand in memory begins.
function clusters.parity_of(operand)
  local region = operand.region
  if region.half then return (2 * region.parity + operand.delta) % 4 // 2 end
  return (region.parity + operand.delta) % 2
end

-- Groups terms {operand, coef} by the absolute value of their coefficient, in the order of the terms.
local function grouped(terms)
  local list, by_key = {}, {}
  for _, term in ipairs(terms) do
    local key = format("%.17g", math.abs(term.coef))
    if not by_key[key] then
      by_key[key] = {factor = math.abs(term.coef), terms = {}, [0] = {}, [1] = {}}
      list[#list + 1] = by_key[key]
    end
    table.insert(by_key[key].terms, term)
    table.insert(by_key[key][clusters.parity_of(term.operand)], term)
  end
  return list
end

local function sign_of(term) return term.coef > 0 and 1 or -1 end

-- Adds two terms that lie in different halves into a temporary region of that parity.
local function pair(sums, a, b, parity, cause)
  local part = {operand = {region = sums.plan:take(parity), delta = 0}, sign = sign_of(a), temporary = true}
  local first, second = a, b
  if sign_of(a) < 0 and sign_of(b) > 0 then
    first, second, part.sign = b, a, 1
  end
  local op = sign_of(first) == sign_of(second) and "fadds" or "fsubs"
  sums:op(cause, op, part.operand, first.operand, second.operand)
  return part
end

local function add(sums, part, term, cause)
  local op = sign_of(term) == part.sign and "fadds" or "fsubs"
  sums:op(cause, op, part.operand, part.operand, term.operand)
end

-- Returns the part that holds the sum of a cluster: a pair of both halves in each half, to which the
-- terms of the other half are added.
local function added(sums, cluster, cause)
  local major = #cluster[0] >= #cluster[1] and 0 or 1
  local many, few = cluster[major], cluster[1 - major]
  local parts = {[1 - major] = pair(sums, many[1], few[1], 1 - major, cause)}
  local paired = 1
  if #few > 1 then
    parts[major], paired = pair(sums, many[2], few[2], major, cause), 2
  end
  for k = paired + 1, #many do add(sums, parts[1 - major], many[k], cause) end
  for k = paired + 1, #few do add(sums, parts[major], few[k], cause) end
  local one, other = parts[1 - major], parts[major]
  if other then
    sums:op(cause, one.sign == other.sign and "fadds" or "fsubs", one.operand, one.operand, other.operand)
    sums:give_back(other)
  end
  return one
end

-- Multiplies what a cluster has added, and makes it a part of the sum, if that has none in this half.
local function multiply(sums, sum, part, factor, cause)
  local parity = part.operand.region.parity
  if sum.parts[parity] then
    sums:add_memory(sum, part.operand, factor * part.sign, cause)
    sums:give_back(part)
    return
  end
  sums:op(cause, "fmuls", part.operand, part.operand, factor * part.sign)
  part.sign, part.started = 1, true
  sum.parts[parity] = part
end

-- Adds terms that lie in memory to a sum, clusters first.
function clusters.add(sums, sum, terms, cause)
  local rest = {}
  for _, cluster in ipairs(grouped(terms)) do
    if cluster.factor == 1 or #cluster[0] == 0 or #cluster[1] == 0 then
      for _, term in ipairs(cluster.terms) do rest[#rest + 1] = term end
    else
      multiply(sums, sum, added(sums, cluster, cause), cluster.factor, cause)
    end
  end
  for _, term in ipairs(rest) do sums:add_memory(sum, term.operand, term.coef, cause) end
end

return clusters
