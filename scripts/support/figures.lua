-- Figures that are derived from what was measured: ratios, shares, rates. What has no value is the
-- text "n/a (reason)" in its place. A figure is never infinite, not a number, or a share above 1.
local format, type, tostring = string.format, type, tostring
local huge, log = math.huge, math.log

local figures = {}

-- The text in place of a figure without a value.
function figures.none(reason) return format("n/a (%s)", reason) end

-- Whether a figure has a value.
function figures.has_value(figure) return type(figure) == "number" end

local function is_finite(value)
  return type(value) == "number" and value == value and value < huge and value > -huge
end

-- The value, if it is a finite number.
function figures.finite(value, reason)
  return is_finite(value) and value or figures.none(reason)
end

-- part / whole. `reason`: why there is none if the whole is 0.
function figures.ratio(part, whole, reason)
  if whole == 0 then return figures.none(reason) end
  return figures.finite(part / whole, reason)
end

-- part / whole of two times (or counts) of which one is a part of the other: 0 to 1. A part that
-- was more by itself is no share, and both are told.
function figures.share(part, whole, reason)
  if part > whole then
    return figures.none(format("%s alone, %s of all", tostring(part), tostring(whole)))
  end
  return figures.ratio(part, whole, reason)
end

-- By how much a quantity decays in each of so many steps: -log(last / first) / steps.
function figures.decay(first, last, steps)
  if steps == 0 then return figures.none("no step") end
  local ratio = last / first
  if not (is_finite(ratio) and ratio > 0) then
    return figures.none(format("it went from %g to %g", first, last))
  end
  return -log(ratio) / steps
end

-- The figure times `scale` in that format ("%.1f %%"); its text where it has no value.
function figures.text(pattern, figure, scale)
  if not figures.has_value(figure) then return figure end
  return format(pattern, figure * (scale or 1))
end

-- A share in percent, "12.3 %".
function figures.percent(share) return figures.text("%.1f %%", share, 100) end

return figures
