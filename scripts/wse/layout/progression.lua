-- Arithmetic progressions {first, last, step}: both ends belong to them, first <= last, step >= 1.
-- One element has step 1. No progression is empty; nil is.
local check = require "wse.layout.check"
local host = require "wse.host"
local min, max, ipairs, type = math.min, math.max, ipairs, type

local progression = {}

-- The progression from `first` on that does not go beyond `limit`.
local function make(first, limit, step)
  if limit < first then return nil end
  local last = limit - (limit - first) % step
  return {first, last, last == first and 1 or step}
end
progression.make = make

function progression.count(p) return (p[2] - p[1]) // p[3] + 1 end

function progression.contains(p, value)
  return value >= p[1] and value <= p[2] and (value - p[1]) % p[3] == 0
end

-- g = gcd(a, b) and u with a * u = g modulo b
local function euclid(a, b)
  local u, v = 1, 0
  while b ~= 0 do
    local quotient = a // b
    a, b = b, a - quotient * b
    u, v = v, u - quotient * v
  end
  return a, u
end

-- The common elements: the Chinese remainder theorem, then the later beginning.
function progression.intersection(p, q)
  local gcd, u = euclid(p[3], q[3])
  local offset = q[1] - p[1]
  if offset % gcd ~= 0 then return nil end
  local step = p[3] // gcd * q[3]
  local common = p[1] + p[3] * ((offset // gcd * u) % (q[3] // gcd))
  local from = max(p[1], q[1])
  return make(from + (common - from) % step, min(p[2], q[2]), step)
end

-- Returns what p has and `part` has not, as a list; every element of `part` is one of p. Between the
-- elements of `part` it is cut into pieces or into residues, whatever are fewer.
function progression.without(p, part)
  local pieces = {}
  local function add(first, limit, step) pieces[#pieces + 1] = make(first, limit, step) end
  local step = p[3]
  add(p[1], part[1] - step, step)
  local period, gaps = part[3] // step, progression.count(part) - 1
  if gaps > 0 and gaps <= period - 1 then
    for k = 0, gaps - 1 do
      local from = part[1] + k * part[3]
      add(from + step, from + part[3] - step, step)
    end
  elseif gaps > 0 then
    for residue = 1, period - 1 do add(part[1] + residue * step, part[2], part[3]) end
  end
  add(part[2] + step, p[2], step)
  return pieces
end

local kSeconds = 64 -- elements that are tried as the second one of a progression

-- The longest progression of elements of `left`, which begins at values[index].
local function longest(values, index, left)
  local first, last = values[index], values[#values]
  local best_step, best_count, tried = 1, 1, 0
  for other = index + 1, #values do
    local step = values[other] - first
    if tried == kSeconds or (last - first) // step < best_count then break end
    if left[values[other]] then
      tried = tried + 1
      local count = 2
      while left[first + count * step] do count = count + 1 end
      if count > best_count then best_step, best_count = step, count end
    end
  end
  local second = first + best_step -- not a pair that would break a run
  if best_count == 2 and best_step > 1 and (left[second + 1] or left[second - 1]) then
    return 1, 1
  end
  return best_step, best_count
end

-- One progression for each stretch of successive integers.
local function runs(values)
  local pieces, first = {}, values[1]
  for index, value in ipairs(values) do
    if values[index + 1] ~= value + 1 then
      pieces[#pieces + 1] = {first, value, 1}
      first = values[index + 1]
    end
  end
  return pieces
end

-- The longest progression from the first element on, then from the first of the rest on.
local function greedy(values)
  local left, pieces = {}, {}
  for _, value in ipairs(values) do left[value] = true end
  for index, first in ipairs(values) do
    if left[first] then
      local step, length = longest(values, index, left)
      for k = 0, length - 1 do left[first + k * step] = nil end
      pieces[#pieces + 1] = make(first, first + (length - 1) * step, step)
    end
  end
  return pieces
end

-- Few disjoint progressions that hold exactly the ascending integers of the list.
function progression.cover(values)
  local plain = runs(values)
  if #plain == 1 then return plain end
  local stepped = greedy(values)
  return #stepped < #plain and stepped or plain
end

-- "4", "0..7", "0..6 step 2"
function progression.text(p)
  if p[1] == p[2] then return p[1] .. "" end
  if p[3] == 1 then return p[1] .. ".." .. p[2] end
  return p[1] .. ".." .. p[2] .. " step " .. p[3]
end

-- Reads what a user writes for one: a number, or {first, last} or {first, last, step}. Below `count`.
function progression.given(call, axis, value, count)
  if type(value) ~= "table" then
    value = check.integer(call, axis, value, 0, count - 1)
    return {value, value, 1}
  end
  if #value < 2 or #value > 3 then
    host.raise(call .. ": " .. axis .. ": a number, {first, last} or {first, last, step} is wanted")
  end
  local step = check.integer(call, axis .. ": the step", value[3] or 1, 1, 1 << 31)
  local first = check.integer(call, axis .. ": the first", value[1], -(1 << 31), 1 << 31)
  local last = check.integer(call, axis .. ": the last", value[2], -(1 << 31), 1 << 31)
  local made = make(first, last, step)
  if made then
    check.integer(call, axis .. ": the first", made[1], 0, count - 1)
    check.integer(call, axis .. ": the last", made[2], 0, count - 1)
  end
  return made
end

return progression
