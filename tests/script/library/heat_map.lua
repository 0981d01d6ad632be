-- wse.heat_map: each value in its place, in colours that are even to the eye.
local wse = require "wse"
local check = require "support.svg"
local golden = require "support.golden"
local scales = require("wse.plot.colour_scale").scales

local function picture(fields) return check.picture(wse.heat_map(fields)) end

-- The colour at cell (x, y) of `rows` rows: what the squares drawn there say.
local function painted(elements, columns, rows)
  local frame, map = nil, {}
  for _, element in ipairs(elements) do
    if element.attributes.fill == "none" then frame = element.attributes break end
  end
  local cell = frame.width / columns
  assert(frame.height / rows == cell)
  for _, element in ipairs(elements) do
    local a = element.attributes
    if element.name == "rect" and a.fill ~= "none" and a.x + 0 >= frame.x + 0 and
       a.x + a.width <= frame.x + frame.width and a.y + 0 >= frame.y + 0 then
      local y = (a.y - frame.y) / cell
      for x = (a.x - frame.x) / cell, (a.x + a.width - frame.x) / cell - 1 do
        map[#map + 1] = true
        map[("%d,%d"):format(x, y)] = a.fill
      end
    end
  end
  assert(#map == columns * rows, "each cell is painted once")
  return map
end

-- Values from an array of a record: x to the right, y downwards.
local record = wse.run{text = [[
.grid 4, 3
.program p
  .i32 v[2] exported = i == 1 ? x + 10 * y : 7
  task main:
.place p at (0..3, 0..2)
]]}
local elements = picture{values = record:array("v"), element = 1}
local map = painted(elements, 4, 3)
for y = 0, 2 do
  for x = 0, 3 do assert(map[x .. "," .. y] == scales.rising((x + 10 * y) / 23), x .. "," .. y) end
end
local texts = check.texts(elements)
assert(texts["23"] == 1 and texts["12"] == 1, "few cells have their numbers")
assert(wse.heat_map{values = record:array("v"), element = 1} ==
       wse.heat_map{values = function(x, y) return x + 10 * y end, width = 4, height = 3})
assert(wse.heat_map{values = {{0, 1}, {2, 3}}, file = "out/h.svg"} == wse.read_text("out/h.svg"))

local named = picture{values = {{4, 5}, {6, 7}}, x0 = 1, y0 = 3,
                      format = function(value, x, y) return value .. "@" .. x .. "," .. y end}
assert(check.texts(named)["4.0@1,3"] == 1 and check.texts(named)["7.0@2,4"] == 1)

-- The bar of the scale: its ticks are at the colours that they name.
local bar, labels = {}, {}
for _, element in ipairs(picture{values = {{0, 100}, {50, 25}}, numbers = false}) do
  local a = element.attributes
  if element.name == "rect" and a.width == "16" and a.fill ~= "none" then bar[#bar + 1] = a end
  if element.name == "text" and a["text-anchor"] == "start" then
    labels[element.text] = a.y - 4.2
  end
end
assert(#bar == 128 and labels["0"] and labels["100"] and labels["40"])
assert(math.abs(labels["100"] - bar[1].y) < 0.02)
assert(math.abs(labels["0"] - (bar[128].y + bar[128].height)) < 0.02)
for name, part in pairs{["0"] = 0, ["40"] = 0.4, ["100"] = 1} do
  local nearest
  for _, a in ipairs(bar) do
    if a.y + 0 <= labels[name] + 0.02 then nearest = a end
  end
  local near = {}
  for k = -2, 2 do near[scales.rising(math.max(0, math.min(1, part + k / 127)))] = true end
  assert(near[nearest.fill], name)
end

-- Equal neighbours are one rectangle; PE numbers begin where the array does.
local equal = picture{values = function(x, y) return y end, width = 50, height = 2, x0 = 100}
local wide = 0
for _, element in ipairs(equal) do
  if element.name == "rect" and element.attributes.width == "550" then wide = wide + 1 end
end
assert(wide == 2 + 1, "two rows and the frame")
assert(check.texts(equal)["110"] == 1 and not check.texts(equal)["50"])

-- A whole wafer is averaged in squares, and says so.
local calls = 0
local wafer = wse.heat_map{values = function(x, y) calls = calls + 1 return x // 4 end,
                           width = 755, height = 994}
assert(calls == 755 * 994 and wafer:find("the mean of 4 x 4 PEs", 1, true))
local squares = painted(check.picture(wafer), 189, 249)
assert(squares["0,0"] == scales.rising(0) and squares["188,248"] == scales.rising(1))

-- Cells without a value, log scale, odd values.
local gaps = picture{values = {{1, 0 / 0, 1 / 0}, {0, 10, false}}, log = true}
assert(check.texts(gaps)["no value"] == 1)
local grey = painted(gaps, 3, 2)
assert(grey["1,0"] == grey["2,0"] and grey["0,1"] == grey["2,1"] and grey["0,1"] == grey["1,0"])
for _, values in ipairs{{{3}}, {{0, 0}}, {{1e300, -1e300}}, {{1e308, -1e308}}, {{1e308, 1e308}}, {{5e-324, 0}}, {{1, 1 + 2e-16}}} do
  for name in pairs(scales) do picture{values = values, scale = name, label = ("l "):rep(99)} end
end
picture{values = {{1, 2}}, title = ("words & "):rep(40), x_label = ("x"):rep(200), y_label = "<y>"}

-- The lightness (of CIE 1976, another measure than the one of the construction) rises evenly.
local function lightness(colour)
  local linear = {}
  for k = 1, 3 do
    local c = tonumber(colour:sub(2 * k, 2 * k + 1), 16) / 255
    linear[k] = c <= 0.04045 and c / 12.92 or ((c + 0.055) / 1.055) ^ 2.4
  end
  local y = 0.2126 * linear[1] + 0.7152 * linear[2] + 0.0722 * linear[3]
  return y > 0.008856 and 116 * y ^ (1 / 3) - 16 or 903.3 * y
end
local steps = {}
for k = 1, 16 do
  steps[k] = lightness(scales.rising(k / 16)) - lightness(scales.rising((k - 1) / 16))
end
table.sort(steps)
assert(steps[1] > 3 and steps[16] < 3 * steps[1], steps[1] .. " to " .. steps[16])
for k = 1, 8 do
  assert(lightness(scales.diverging(k / 16)) > lightness(scales.diverging((k - 1) / 16)))
  assert(lightness(scales.diverging(1 - k / 16)) > lightness(scales.diverging(1 - (k - 1) / 16)))
end

golden("sums.svg", wse.heat_map{values = {{1, 2.5, 4}, {-1, 0 / 0, 3}}, title = "Sums", y0 = 7,
                                scale = "diverging", label = "sum", size = 200})

-- Texts of one's own along the sides, and borders where regions meet.
local function labelled(fields)
  fields.values, fields.width, fields.height = function(x, y) return x + y end, 3, 2
  return check.picture(wse.heat_map(fields))
end
local plain = labelled{}
local named = labelled{x_ticks = {"4 B", "8 B", "16 B"}, y_ticks = {"few", "many"},
                       regions = function(x, y) return x == 0 and "left" or y == 0 and "top" or "rest" end}
local along = check.texts(named)
assert(along["4 B"] == 1 and along["16 B"] == 1 and along.few == 1 and along.many == 1)
check.apart(named)
-- Left of column 1 twice, and below row 0 twice; each border is two lines.
assert(check.count(named, "line") - check.count(plain, "line") == 2 * 4)
assert(check.count(labelled{regions = function() return 1 end}, "line") == check.count(plain, "line"))
local long = {"a very long text of a column", "another long text of a column", "c"}
check.apart(labelled{x_ticks = long})
for fields, text in pairs{
  [{x_ticks = {"a"}}] = "x_ticks has 1 texts; one for each of 3 cells is wanted",
  [{y_ticks = {"a", "b", "c"}}] = "y_ticks has 3 texts; one for each of 2 cells",
  [{y_ticks = {1, 2}}] = "y_ticks has 2 texts",
} do
  local ok, message = pcall(labelled, fields)
  assert(not ok and message:find(text, 1, true), text .. ": " .. tostring(message))
end

-- Regions without numbers have their names, where there is room; the others a number and a line below.
local function region(x, y)
  if x < 5 then return "wide enough" end
  return y < 3 and "north" or x == 11 and "thin one" or "south"
end
local regioned = check.picture(wse.heat_map{values = function(x, y) return x + y end, width = 12,
                                            height = 8, numbers = false, regions = region, size = 260})
local names_of = check.texts(regioned)
assert(names_of["wide enough"] == 1 and names_of.north == 1 and names_of.south == 1)
assert(names_of["1"] == 1 and names_of["1: thin one"] == 1 and names_of["thin one"] == nil)
check.apart(regioned)
for _, element in ipairs(regioned) do
  if element.text == "north" then
    assert(element.attributes["paint-order"] == "stroke", "it is read on any colour")
  end
end

-- Colours and ticks of one's own.
local own = wse.heat_map{values = {{0, 5, 10}}, scale = {"#ff0000", "#00ff00", "#0000ff"}, numbers = false,
                         ticks = {{0, "none"}, {5, "half"}, {10, "all"}}}
for _, text in ipairs{'fill="#ff0000"', 'fill="#0000ff"', ">none<", ">half<", ">all<"} do
  assert(own:find(text, 1, true), text)
end
for fields, text in pairs{
  [{scale = {"#ff0000"}}] = "scale has 1 colours", [{scale = {"#ff0000", "red"}}] = "scale[2] is red",
  [{ticks = {{2, "b"}, {1, "a"}}}] = "ticks[2] is at 1",
} do
  fields.values = {{1, 2}}
  local ok, message = pcall(wse.heat_map, fields)
  assert(not ok and message:find(text, 1, true), text .. ": " .. tostring(message))
end
