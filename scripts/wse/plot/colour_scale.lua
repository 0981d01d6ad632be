-- Colours for numbers 0..1. Even to the eye by construction: the lightness of OKLab (Ottosson 2020,
-- public domain), L, rises in equal steps, while hue and chroma turn slowly.
local floor, cos, sin, rad = math.floor, math.cos, math.sin, math.rad
local min, max, format, tonumber = math.min, math.max, string.format, tonumber

local function byte_of(linear)
  linear = max(0, min(1, linear))
  local value = linear <= 0.0031308 and 12.92 * linear or 1.055 * linear ^ (1 / 2.4) - 0.055
  return floor(value * 255 + 0.5)
end

-- sRGB of a colour of OKLab in polar form; `hue` in degrees.
local function srgb(lightness, chroma, hue)
  local a, b = chroma * cos(rad(hue)), chroma * sin(rad(hue))
  local l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ^ 3
  local m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ^ 3
  local s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ^ 3
  return format("#%02x%02x%02x", byte_of(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                byte_of(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                byte_of(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s))
end

-- Tables of 128 colours: pictures repeat few.
local function table_of(colour)
  local colours = {}
  for k = 0, 127 do colours[k] = colour(k / 127) end
  return function(part) return colours[floor(part * 127 + 0.5)] end
end

local colour_scale = {}

-- From dark blue over green to light yellow.
local function rising(part)
  return srgb(0.25 + 0.68 * part, 0.105 + 0.055 * part, 285 - 180 * part)
end

-- From blue over near-white to red; for values around 0.
local function diverging(part)
  local away = 2 * part - 1
  local distance = away < 0 and -away or away
  return srgb(0.97 - 0.5 * distance, 0.16 * distance, away < 0 and 255 or 35)
end

-- Light to dark, for print.
local function grey(part) return srgb(0.97 - 0.72 * part, 0, 0) end

colour_scale.scales = {rising = table_of(rising), diverging = table_of(diverging),
                       grey = table_of(grey)}

-- Through the colours of a list, "#rrggbb", in equal steps.
local function through(list)
  return table_of(function(part)
    local place = part * (#list - 1)
    local k = min(floor(place), #list - 2)
    local bytes = {}
    for channel = 2, 6, 2 do
      local low = tonumber(list[k + 1]:sub(channel, channel + 1), 16)
      local high = tonumber(list[k + 2]:sub(channel, channel + 1), 16)
      bytes[#bytes + 1] = floor(low + (place - k) * (high - low) + 0.5)
    end
    return format("#%02x%02x%02x", bytes[1], bytes[2], bytes[3])
  end)
end

-- Returns the scale of a name, or of a list of colours.
function colour_scale.of(scale) return colour_scale.scales[scale] or through(scale) end

-- Whether white is easier to read on it than black.
function colour_scale.is_dark(colour)
  local r, g, b = tonumber(colour:sub(2, 3), 16), tonumber(colour:sub(4, 5), 16),
                  tonumber(colour:sub(6, 7), 16)
  return 0.299 * r + 0.587 * g + 0.114 * b < 105
end

return colour_scale
