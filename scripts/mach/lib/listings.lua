-- The listings 9 to 12 of the paper by their contents, on small fields, as texts to look at: channels
-- declared, a checker of two tiles that turns through four states, code on regions, the union of all.
local checks = require "support.checks"
local command = require "mach.lib.command"
local geometry = require "mach.vm.geometry"
local layout = require "mach.vm.layout"
local paint = require "mach.paint.init"
local vm = require "mach.vm"
local wse = require "wse"

local listings = {}

listings.arguments = {{"width", 8}, {"height", 4}, {"listing", 0}, {"response", 4}}

-- A program that uses all that is optional, so that all colours are there.
local function whole(o)
  local p = vm.program{width = o.width, height = o.height, response = o.response}
  for _, name in ipairs{"a", "b"} do p:array(name, "f32", 4) end
  p:array("index", "i32", 4)
  p:global("value", "u32")
  local section = p:section{{"shift_west_f32", d = "b", a = "a", length = 4},
                            {"gather_f32", d = "b", a = "a", index = "index", length = 4},
                            {"sum_to_workers_f32", a = "a", length = 4}, {"receive", scalar = 1},
                            {"sum_to_controller_f32", a = "a", length = 4}}
  return p:layout({{"section", section}, {"receive", "value"}})
end

local makers = {}

-- Listing 9: the channels.
makers[9] = function(o)
  local w, names = whole(o), {}
  for name, colour in pairs(w.colour_of) do names[#names + 1] = name end
  table.sort(names)
  local lines = {#names .. " channels"}
  for _, name in ipairs(names) do lines[#lines + 1] = "  let " .. name end
  return table.concat(lines, "\n")
end

-- Only routes: PEs that take part run an empty program.
local function drawn(width, height, area, colour)
  local w = wse.layout(width, height)
  paint.onto(w, area)
  local parts = {}
  for position = 1, 4 do
    parts[position] = string.format("state %d\n%s", position, w:draw(colour, {position = position}))
  end
  return table.concat(parts, "")
end

-- Listing 10: two tiles, swapped in a checkerboard, that receive on one colour and send on the other.
makers[10] = function(o)
  local g = geometry.of(o.width, o.height, o.response)
  return drawn(g.width, g.grid_height, layout.neighbours(g), "nbr0")
end

-- Listing 11: one program on two regions with three rows between.
makers[11] = function(o)
  local worker = paint.code(paint.tile(o.width, o.height // 2), "worker")
  local w = wse.layout(o.width, o.height + 3)
  w:program".program worker\n  task main:\n"
  paint.onto(w, paint.vstack(worker, paint.tile(o.width, 3), worker))
  return w:draw()
end

-- Listing 12: the union of code, checkers and the middle.
makers[12] = function(o) return whole(o):draw() end

-- The whole machine: who runs what, then each channel.
makers[0] = function(o)
  local w, names = whole(o), {}
  for name in pairs(w.colour_of) do names[#names + 1] = name end
  table.sort(names)
  local parts = {w:draw()}
  for _, name in ipairs(names) do parts[#parts + 1] = w:draw(name) end
  return table.concat(parts, "")
end

function listings.run(o)
  command.even("width", o.width, 4, 64)
  command.even("height", o.height, 2, 64)
  command.even("response", o.response, 2, o.width - 2)
  if o.listing ~= 0 then checks.integer("listing", o.listing, 9, 12) end
  listings.text = makers[o.listing](o)
  return {listing = o.listing, width = o.width, height = o.height}
end

function listings.shown() return (listings.text:gsub("\n$", "")) end

return listings
