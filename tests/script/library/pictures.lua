-- All pictures that are kept in the folders of scripts (pictures.txt): well-formed, everything within them,
-- no text on another one. And random ones.
local check = require "support.svg"
local wse = require "wse"

local count, texts = 0, 0
local function look(name, svg)
  local elements = check.picture(svg)
  local ok, found = pcall(check.apart, elements)
  assert(ok, name .. ": " .. tostring(found))
  count, texts = count + 1, texts + found
end
for name in wse.read_text("pictures.txt"):gmatch "[^\n]+" do look(name, wse.read_text(name)) end
assert(count >= 20, "the pictures are missing")
print(count .. " pictures, " .. texts .. " texts")

math.randomseed(17)
local random = math.random
local function words(most)
  local list = {}
  for k = 1, random(0, most) do list[k] = ("wordsofmanylengths"):sub(1, random(1, 18)) end
  return table.concat(list, " ")
end

local function line(k, positive)
  local own = {name = words(3) .. k, x = {}, y = {}, bars = random(5) == 1 or nil}
  for i = 1, random(1, 12) do
    own.x[i] = i * random(1, 3)
    own.y[i] = positive and 2.0 ^ random(-5, 20) or random(-1000, 1000)
  end
  return own
end

local function chart()
  local log = ({false, "x", "y", "xy"})[random(4)] or nil
  local fields = {log = log, title = words(8), x_label = words(6), y_label = words(6), lines = {},
                  width = random(200, 900), height = random(200, 700),
                  legend = ({false, "right", "below"})[random(3)] or nil}
  for k = 1, random(1, 9) do fields.lines[k] = line(k, log) end
  local first = fields.lines[1]
  if random(2) == 1 then fields.notes = {{x = first.x[1], y = first.y[1], text = "n" .. words(1)}} end
  return fields
end

local function map()
  local width, height = random(1, 30), random(1, 30)
  return {title = words(8), x_label = words(5), label = words(5), width = width, height = height,
          values = function(x, y) return x * y - 7 end, size = random(150, 700),
          numbers = random(3) == 1 and width * height < 100,
          regions = function(x, y) return "region " .. x // 4 .. " " .. y // 5 end}
end

for k = 1, 60 do
  look("chart " .. k, wse.plot(chart()))
  look("map " .. k, wse.heat_map(map()))
end
for k = 1, 15 do
  local panels = {}
  for i = 1, random(1, 5) do panels[i] = random(2) == 1 and chart() or map() end
  look("panels " .. k, wse.plot{panels = panels, columns = random(3)})
end
