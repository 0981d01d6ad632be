-- Writes SVG: elements one after the other, the same bytes for the same calls. Whatever texts a
-- caller gives, the result is well-formed XML. Lengths are pixels; (0, 0) is the upper left corner.
local setmetatable, ipairs, format, concat = setmetatable, ipairs, string.format, table.concat
local gsub, utf8_len, floor, max = string.gsub, utf8.len, math.floor, math.max

local charpattern = utf8.charpattern

local svg = {}

-- A coordinate: at most two digits after the point, no -0.
function svg.number(value)
  local hundredths = floor(value * 100 + 0.5)
  if hundredths % 100 == 0 then return format("%d", hundredths // 100) end
  return (gsub(format("%.2f", hundredths / 100), "0+$", ""))
end
local number = svg.number

-- UTF-8 without what XML has no characters for; a byte that is no UTF-8 becomes a question mark.
local function clean(text)
  local length, bad = utf8_len(text)
  while not length do
    text = text:sub(1, bad - 1) .. "?" .. text:sub(bad + 1)
    length, bad = utf8_len(text)
  end
  text = gsub(text, "[\t\n\r]", " ")
  text = gsub(text, "[\0-\31\127]", "")
  return (gsub(text, "\u{FFFE}", "?"):gsub("\u{FFFF}", "?"))
end

local entities = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}

function svg.escape(text) return (gsub(clean(text), '[&<>"]', entities)) end

-- Widths in units of the font's size, of a wide sans-serif: a viewer's own one is rarely wider.
local widths = {[" "] = 0.32, m = 0.98, w = 0.82, M = 0.87, W = 0.99, f = 0.36, r = 0.42, t = 0.4}
for c in ("ijl.,:;'|!"):gmatch(".") do widths[c] = 0.34 end
for c in ("()[]/\\-"):gmatch(".") do widths[c] = 0.4 end
for c in ("%=+<>~@&"):gmatch(".") do widths[c] = 0.9 end

local function width_of(character)
  if widths[character] then return widths[character] end
  if #character > 2 then return 1 end
  if character:find("^%u") then return 0.73 end
  return 0.64
end

-- An upper estimate; "^{...}" is a small raised part.
function svg.text_width(text, size)
  local width = 0
  local plain = gsub(text, "%^(%b{})", function(raised)
    width = width + (#raised - 2) * 0.64 * 0.7
    return ""
  end)
  for character in clean(plain):gmatch(charpattern) do width = width + width_of(character) end
  return width * size
end

-- The width of its longest word.
function svg.word_width(text, size)
  local widest = 0
  for word in text:gmatch("[^ ]+") do widest = max(widest, svg.text_width(word, size)) end
  return widest
end

-- The lines of `text`, broken at spaces so that each is at most `width` wide if its words are.
function svg.wrap(text, size, width)
  local lines, line = {}, nil
  for word in clean(text):gmatch("[^ ]+") do
    local longer = line and line .. " " .. word or word
    if line and svg.text_width(longer, size) > width then
      lines[#lines + 1], line = line, word
    else
      line = longer
    end
  end
  lines[#lines + 1] = line
  return lines
end

local Canvas = {__metatable = false}
Canvas.__index = Canvas

function svg.canvas() return setmetatable({}, Canvas) end

function Canvas:add(text, ...) self[#self + 1] = format(text, ...) end

function Canvas:line(x1, y1, x2, y2, colour, width)
  self:add('<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s" stroke-width="%s"/>', number(x1),
           number(y1), number(x2), number(y2), colour, number(width))
end

-- Adds what another canvas holds, moved to the right and down.
function Canvas:group(x, y, inner)
  self:add('<g transform="translate(%s %s)">', number(x), number(y))
  for _, element in ipairs(inner) do self[#self + 1] = element end
  self:add("</g>")
end

-- `fill` and `stroke` are colours or "none".
function Canvas:rect(x, y, width, height, fill, stroke)
  self:add('<rect x="%s" y="%s" width="%s" height="%s" fill="%s"%s/>', number(x), number(y),
           number(width), number(height), fill, stroke and ' stroke="' .. stroke .. '"' or "")
end

function Canvas:polyline(points, colour, width, dashes)
  local texts = {}
  for _, point in ipairs(points) do
    texts[#texts + 1] = number(point[1]) .. "," .. number(point[2])
  end
  self:add('<polyline points="%s" fill="none" stroke="%s" stroke-width="%s"%s' ..
           ' stroke-linejoin="round"/>', concat(texts, " "), colour, number(width),
           dashes and ' stroke-dasharray="' .. dashes .. '"' or "")
end

-- options: size, anchor (start, middle, end), bold, upward (turned by 90 degrees), fill, halo (white
-- around the letters, to be read on anything).
-- (x, y) is on the base line; "^{...}" raises what is in it.
function Canvas:text(x, y, text, options)
  local size = options.size or 13
  local raised = format('<tspan dy="%s" font-size="%s">%%1</tspan>', number(-0.35 * size),
                        number(0.7 * size))
  local shown = gsub(svg.escape(text), "%^{([^{}]*)}", raised)
  self:add('<text x="%s" y="%s" font-size="%s" text-anchor="%s"%s%s%s%s>%s</text>', number(x),
           number(y), number(size), options.anchor or "start",
           options.bold and ' font-weight="bold"' or "",
           options.halo and ' paint-order="stroke" stroke="#ffffff" stroke-width="3"' or "",
           options.fill and ' fill="' .. options.fill .. '"' or "",
           options.upward and format(' transform="rotate(-90 %s %s)"', number(x), number(y)) or "",
           shown)
end

-- The whole picture, on white.
function Canvas:finish(width, height)
  local head = format('<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" ' ..
                      'viewBox="0 0 %s %s" font-family="Arial, Helvetica, sans-serif">',
                      number(width), number(height), number(width), number(height))
  local ground = format('<rect x="0" y="0" width="%s" height="%s" fill="#ffffff"/>',
                        number(width), number(height))
  return '<?xml version="1.0" encoding="UTF-8"?>\n' .. head .. "\n" .. ground .. "\n" ..
         concat(self, "\n") .. "\n</svg>\n"
end

return svg
