-- Operands and participation: "a" or {"a", first element}; masks of NumPy's slices over x and y.
local host = require "wse.host"
local format = string.format

local slices = {}

-- The array's name and its first element.
function slices.operand(operand)
  if type(operand) == "table" then return operand[1], operand[2] or 0 end
  return operand, 0
end

-- "first:end:step" of n: first, end, step.
local function range(text, n)
  local first, last, step = text:match("^%s*(-?%d*)%s*:%s*(-?%d*)%s*:?%s*(%d*)%s*$")
  if not first then
    host.raise(format("the slice '%s' is not of the kind 'first:end:step'", tostring(text)))
  end
  local function place(given, default)
    local k = given == "" and default or math.tointeger(tonumber(given))
    if k < 0 then k = k + n end
    return math.max(0, math.min(n, k))
  end
  step = step == "" and 1 or math.tointeger(tonumber(step))
  if step == 0 then host.raise(format("the slice '%s' has step 0", text)) end
  return place(first, 0), place(last, n), step
end

-- The conditions on one coordinate as texts, and a function that says the same. `step` away lies the
-- PE that also must be there; `by`: the conditions are those of PEs so far off.
local function along(variable, text, n, away, by)
  local first, last, step = range(text, n)
  local from = math.max(first, -away, 0)
  local to = math.min(last, n - away, n)
  from = from + (first - from) % step
  local low, high, parts = from + by, to + by, {}
  if low > 0 then parts[#parts + 1] = format("%s >= %d", variable, low) end
  if high < n then parts[#parts + 1] = format("%s < %d", variable, high) end
  if step > 1 then parts[#parts + 1] = format("(%s + %d) %% %d == 0", variable, -low % step, step) end
  return parts, function(v) return v >= low and v < high and (v - low) % step == 0 end
end

-- Returns who takes part in the slice [xs, ys]: a formula over x and y that is 1 or 0, and a function of the
-- worker. away = {x, y}: only workers that have one so far off; senders: those far ones themselves.
function slices.mask(xs, ys, geometry, away, senders)
  away = away or {0, 0}
  local parts, in_x = along("x", xs, geometry.width, away[1], senders and away[1] or 0)
  local more, in_y = along(geometry.row, ys, geometry.height, away[2], senders and away[2] or 0)
  for _, part in ipairs(more) do parts[#parts + 1] = part end
  local formula = #parts > 0 and "(" .. table.concat(parts, " && ") .. " ? 1 : 0)" or "1"
  return formula, function(x, y) return in_x(x) and in_y(y) end
end

return slices
