-- Streams of a layout: a rectangle at one edge, a colour that enters or leaves there.
local check = require "wse.layout.check"
local colours = require "wse.layout.colours"
local host = require "wse.host"
local region = require "wse.layout.region"
local format, match = string.format, string.match

local streams = {}

local kSides = {west = 0, east = 1, north = 2, south = 3}

function streams.add(call, layout, name, kind, at, given, line)
  check.one_line(call, "the type", kind)
  at = region.given(call, at, layout)
  if layout.net.is_hypercube then host.raise(call .. ": a hypercube has no edge for a stream") end
  if #at.pieces ~= 1 then
    host.raise(format("%s: a stream takes one rectangle; this region has %d", call, #at.pieces))
  end
  check.one_line(call, "the way", given)
  local from, to = match(given, "^%s*([%a_][%w_]*)%s*%->%s*([%a_][%w_]*)%s*$")
  local side = kSides[from] or kSides[to]
  if not side then
    check.wanted(call, "the way", "'west -> red' or 'red -> east'", given)
  end
  local colour = colours.given(call, layout, kSides[from] and to or from)
  if not kSides[from] then
    local old = colour.routes.streams[side]
    colour.routes.streams[side] = old and old + at or at
  end
  layout.streams[#layout.streams + 1] = {
    text = format(".stream %s: %s at %s: %s -> %s", name, kind, region.piece_text(at.pieces[1]),
                  from, to),
    line = line,
  }
end

return streams
