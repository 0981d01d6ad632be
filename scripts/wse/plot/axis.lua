-- One axis: from values to pixels, with its ticks. On a log axis only values above 0 have a place.
-- Differences of large numbers vanish: inside, a linear axis counts in units of kUnit then.
local ticks = require "wse.plot.ticks"
local setmetatable, ipairs, floor, log, exp = setmetatable, ipairs, math.floor, math.log, math.exp
local abs, min, max, huge = math.abs, math.min, math.max, math.huge

local Axis = {__metatable = false}
Axis.__index = Axis

local axis = {}

local kLarge <const> = 1e290    -- from here on
local kUnit <const> = 1e20
local kLargest <const> = 1.7e308  -- that an axis ends at

local function is_power_of_two(value)
  local k = floor(log(value, 2) + 0.5)
  return value == 2.0 ^ k
end

local function base_of(values)
  for _, value in ipairs(values) do
    if not is_power_of_two(value) then return 10 end
  end
  return #values > 1 and 2 or 10
end

local function extent(values)
  local low, high = huge, -huge
  for _, value in ipairs(values) do low, high = min(low, value), max(high, value) end
  return low, high
end

-- A range that has a size, also around one value, or what rounding has made of it.
local function opened(low, high, logarithmic)
  if high - low > 1e-9 * max(abs(low), abs(high)) then return low, high end
  if logarithmic then return low / 2, min(high * 2, kLargest) end
  local half = low == 0 and 1 or abs(low) * 0.5
  return low - half, high + half
end

local function padded(low, high, logarithmic, part)
  if logarithmic then
    local factor = exp((log(high) - log(low)) * part)
    return max(low / factor, 1e-305), min(high * factor, kLargest)
  end
  local pad = (high - low) * part
  return low - pad, high + pad
end

-- The range of a linear axis of results: from 0 if that is near, and to whole steps, or a bit
-- further where the last value would touch the frame.
local function to_steps(low, high, count)
  if low > 0 and low <= 0.5 * high then low = 0 end
  if high < 0 and high >= 0.5 * low then high = 0 end
  local _, step = ticks.linear(low, high, count)
  local below, above = floor(low / step + 1e-9), -floor(-high / step + 1e-9)
  if low ~= 0 and low / step - below < 0.1 then below = below - 0.2 end
  if high ~= 0 and above - high / step < 0.1 then above = above + 0.2 end
  return step * below, step * above
end

local function unit_of(values, options)
  if options.log then return 1.0 end
  local low, high = extent(options.range or values)
  return max(-low, high) > kLarge and kUnit or 1.0
end

local function range_of(values, options, unit)
  local logarithmic = options.log
  if options.range then return options.range[1] / unit, options.range[2] / unit end
  local low, high = extent(values)
  for _, value in ipairs(options.reaches or {}) do
    low, high = min(low, value), max(high, value)
  end
  low, high = opened(low / unit, high / unit, logarithmic)
  if options.exact then return low, high end
  if options.steps and not logarithmic then return to_steps(low, high, options.count) end
  return padded(low, high, logarithmic, 0.04)
end

-- `values`: at least one number; options: log, range {low, high}, steps (end at ticks), exact (no
-- space at the ends), reaches (values that are within it, too), count (of ticks, about), ticks
-- {{value, text}, ...} instead of those that are found. Pixels are set by `lay`.
function axis.new(values, options)
  local self = setmetatable({log = options.log or false}, Axis)
  self.unit = unit_of(values, options)
  self.low, self.high = range_of(values, options, self.unit)
  self.whole, self.own = options.whole, options.ticks
  self.base = self.log and base_of(values) or nil
  return self
end

-- Places, of the ticks that were given, those of the range, every so manieth that there are about `count`.
local function lay_own(self, count)
  local within = {}
  for _, tick in ipairs(self.own) do
    local value = tick[1] / self.unit
    if value >= self.low and value <= self.high then within[#within + 1] = tick end
  end
  self.major, self.labels, self.minor = {}, {}, {}
  for k = 1, #within, max(1, -(-#within // max(1, count))) do
    self.major[#self.major + 1], self.labels[#self.labels + 1] = within[k][1], within[k][2]
  end
end

-- The axis goes from pixel `first` to pixel `last` with about `count` ticks.
function Axis:lay(first, last, count)
  self.first, self.last = first, last
  if self.own then
    lay_own(self, count)
  elseif self.log then
    self.major, self.labels, self.minor = ticks.log(self.low, self.high, self.base, count)
  else
    self.major = {}
    for _, tick in ipairs(ticks.linear(self.low, self.high, count, self.whole)) do
      if abs(tick * self.unit) < huge then self.major[#self.major + 1] = tick * self.unit end
    end
    self.labels, self.minor = ticks.labels(self.major), {}
  end
end

-- Where the value is in the range, 0 to 1; one outside is at the end of it.
function Axis:part(value)
  value = max(self.low, min(self.high, value / self.unit))
  return self.log and (log(value) - log(self.low)) / (log(self.high) - log(self.low))
         or (value - self.low) / (self.high - self.low)
end

-- Whether the range has the value.
function Axis:has(value)
  value = value / self.unit
  return value >= self.low and value <= self.high
end

-- The pixel of a value of the range.
function Axis:pixel(value)
  return self.first + self:part(value) * (self.last - self.first)
end

return axis
