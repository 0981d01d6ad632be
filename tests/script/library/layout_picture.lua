-- w:draw{file =}: routes of colours as a picture: well-formed, a panel for each switch position, no text on
-- another one, for many layouts; and what is refused.
local check = require "support.svg"
local reduction = require "collectives.reduce"
local wse = require "wse"

local function count(text, what) return select(2, text:gsub(what, "")) end

local function drawn(layout, options)
  options = options or {}
  options.file = "out/picture.svg"
  local text = layout:draw(options)
  assert(wse.read_text "out/picture.svg" == text)
  check.apart(check.picture(text))
  return text
end

-- The authors' code of the patterns, on a row and a grid: dots for senders, rings for receivers.
for _, pattern in ipairs{"star", "chain", "tree", "two-phase", "auto-gen"} do
  for _, code in ipairs{"paper", "best"} do
    local text = drawn(reduction.layout{pattern = pattern, P = 16, B = 4, code = code})
    assert(count(text, 'r="3.4"') == 15, pattern)  -- each PE but the root sends
    assert(count(text, "<rect") == 1 + 16 * math.max(1, count(text, "switch position")))
    drawn(reduction.layout{pattern = "xy-" .. pattern, width = 6, height = 5, B = 4, code = code})
  end
end

-- Arrows: one for each side to which a router sends; a part of a wafer; many colours with long names.
local w = wse.layout(40, 3)
local red = w:colour "red"
w:route(red, w:pe(1, 1), "ramp -> east, west, north, south")
local text = drawn(w)
assert(count(text, "<polygon") == 4 and count(text, 'r="3.4"') == 1 and count(text, 'r="4"') == 0)
assert(count(text, "switch position") == 0 and count(text, "<rect") == 1 + 32 * 3)
assert(count(drawn(w, {x = 38, y = 2}), "<rect") == 1 + 2)
assert(count(drawn(w, {columns = 2, rows = 1}), "<rect") == 1 + 2)
for k = 1, 20 do w:colour("a_colour_with_a_long_name_" .. k) end
drawn(w, {columns = 3, title = "Two and twenty colours & <signs>"})
local one = w:draw(red, {file = "out/red.svg"})
assert(not one:find("long_name", 1, true))

local function refused(text, ...)
  local ok, message = pcall(w.draw, w, ...)
  assert(not ok and message:find(text, 1, true), text .. ": " .. tostring(message))
end
refused("ends with .svg, .png or .pdf", {file = "out/a.gif"})
refused("ends with .svg", {file = 7})
refused("columns", {file = "out/a.svg", columns = 33})
refused("rows", {file = "out/a.svg", rows = 0})
refused("unknown option 'colour'", {file = "out/a.svg", colour = "red"})
refused("the title", {file = "out/a.svg", title = {}})
local cube = wse.layout{hypercube = 3}
cube:colour "k"
assert(not pcall(cube.draw, cube, {file = "out/a.svg"}))
local empty = wse.layout(2, 2)
assert(not pcall(empty.draw, empty, {file = "out/a.svg"}))
