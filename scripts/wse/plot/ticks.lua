-- Where the ticks of an axis are, and what is beside them: round numbers, 1, 2 or 5 times a
-- power of ten; on a log axis powers of ten, or of two.
local floor, ceil, abs, max, log = math.floor, math.ceil, math.abs, math.max, math.log
local format, gsub, ipairs = string.format, string.gsub, ipairs

local ticks = {}

-- The exponent of the leading digit; floor(log10) is off by one at some powers of ten.
local function decade(value)
  local k = floor(log(value, 10) + 0.5)
  if value < 10.0 ^ k * (1 - 1e-12) then k = k - 1 end
  return k
end

-- Returns the number of 1, 2, 5 x 10^k that gives the nearest to `count` ticks.
function ticks.step(span, count)
  local raw = span / count
  local power = 10.0 ^ decade(raw)
  local part = raw / power
  return power * (part <= 1.414 and 1 or part <= 3.162 and 2 or part <= 7.071 and 5 or 10)
end

-- Numbers of a list share one form: plain, or m x 10^e with the same e.
function ticks.labels(values)
  local largest, step = 0, 0
  for k, value in ipairs(values) do
    largest = max(largest, abs(value))
    if k == 2 then step = abs(value - values[1]) end
  end
  if step == 0 then step = largest end
  local e = 0
  if largest >= 1e6 or (largest > 0 and largest < 1e-3) then e = decade(largest) end
  local unit = 10.0 ^ e
  local digits = step > 0 and max(0, -decade(step / unit)) or 0
  local labels = {}
  for k, value in ipairs(values) do
    local text = gsub(format("%." .. digits .. "f", value / unit), "^%-(0[.0]*)$", "%1")
    if digits > 12 then text = format("%.12g", value / unit) end
    if e ~= 0 and value ~= 0 then text = format("%s×10^{%d}", text, e) end
    labels[k] = gsub(text, "%-", "−")
  end
  return labels
end

-- Multiples of a round step within [low, high], about `count` of them.
function ticks.linear(low, high, count, whole)
  local step = ticks.step(high - low, count)
  if whole then step = max(step, 1.0) end
  local found = {}
  for k = ceil(low / step - 1e-9), floor(high / step + 1e-9) do found[#found + 1] = k * step end
  return found, step
end

-- Written out if all from exponent `first` to `last` are short.
local function power_label(base, k, first, last)
  local plain = base == 10 and first >= -3 and last <= 4 or base == 2 and first >= 0 and last <= 16
  if not plain then return (gsub(format("%d^{%d}", base, k), "%-", "−")) end
  if k < 0 then return format("%." .. -k .. "f", 10.0 ^ k) end
  return format("%d", base ^ k)
end

local function of_powers(low, high, base, count)
  local first = ceil(log(low, base) - 1e-9)
  local last = floor(log(high, base) + 1e-9)
  local every = max(1, ceil((last - first + 1) / count))
  local major, labels, minor = {}, {}, {}
  for k = first, last do
    if k % every == 0 then
      major[#major + 1] = 1.0 * base ^ k
      labels[#labels + 1] = power_label(base, k, first, last)
    else
      minor[#minor + 1] = 1.0 * base ^ k
    end
  end
  return major, labels, minor, every
end

local function between_decades(low, high, factors, minor)
  for k = decade(low), decade(high) do
    for _, factor in ipairs(factors) do
      local value = factor * 10.0 ^ k
      if value >= low * (1 - 1e-9) and value <= high * (1 + 1e-9) then minor[#minor + 1] = value end
    end
  end
  return minor
end

-- Ticks of a log axis: values, labels, and values of unlabelled ones.
function ticks.log(low, high, base, count)
  local major, labels, minor, every = of_powers(low, high, base, count)
  if base == 2 then return major, labels, minor end
  if #major >= 3 or #major == 2 and count <= 4 then
    if every == 1 then between_decades(low, high, {2, 3, 4, 5, 6, 7, 8, 9}, minor) end
    return major, labels, minor
  end
  local finer = between_decades(low, high, {1, 2, 5}, {})
  if #finer < 3 then finer = ticks.linear(low, high, count) end
  local shown = {}
  for k, value in ipairs(finer) do
    shown[k] = #finer < 3 and ticks.labels(finer)[k] or ticks.labels{value}[1]
  end
  return finer, shown, between_decades(low, high, {2, 3, 4, 5, 6, 7, 8, 9}, {})
end

return ticks
