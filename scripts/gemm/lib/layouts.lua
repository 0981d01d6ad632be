-- Layouts of products: who runs which program, and the routes. PE (x, y) has the number x on its
-- row and y on its column; what a request needs beside that says its algorithm (algorithms.lua).
local barrier = require "gemm.lib.barrier"
local broadcast_program = require "gemm.lib.broadcast_program"
local gather_program = require "gemm.lib.gather_program"
local homeward = require "gemm.lib.homeward"
local ring_program = require "gemm.lib.ring_program"
local rings = require "gemm.lib.rings"
local transposed_program = require "gemm.lib.transposed_program"
local wse = require "wse"

local layouts = {}

-- Colours of a shift that somebody uses: {[0..3] = colour}.
local function colours_of(layout, name, edges)
  local colours = {}
  for _, edge in ipairs(edges) do
    colours[edge.colour] = colours[edge.colour] or layout:colour(name .. edge.colour)
  end
  return colours
end

-- A shift along an axis with its routes in the `lines`: {sends = {[p] = colour}, receives = ...}.
-- `firsts`: where on the axis the shift begins, as often as there is one.
local function add_shift(layout, name, edges, axis, lines, firsts)
  local colours, users = colours_of(layout, name, edges), rings.users(edges)
  for _, first in ipairs(firsts or {0}) do
    rings.route(layout, edges, axis, colours, first, lines)
  end
  for _, list in pairs(users) do
    for p, number in pairs(list) do list[p] = colours[number] end
  end
  return users
end

-- Where the grids of the layers begin.
local function grids_of(request)
  local firsts = {}
  for layer = 0, request.layers - 1 do firsts[#firsts + 1] = layer * request.P end
  return firsts
end

-- The shifts of A along rows and of B along columns, and the parameters of PEs for them.
local function add_shifts(layout, edges, request, parameters)
  local P = request.P
  local a = add_shift(layout, "a", edges, "x", {0, P - 1}, grids_of(request))
  local b = add_shift(layout, "b", edges, "y", {0, request.layers * P - 1})
  parameters.a_tx = function(x) return a.sends[x % P] end
  parameters.a_rx = function(x) return a.receives[x % P] end
  parameters.b_tx = function(_, y) return b.sends[y] end
  parameters.b_rx = function(_, y) return b.receives[y] end
end

local function place(layout, request, name, variant, lines, parameters)
  local region = layout:rect({0, request.layers * request.P - 1}, lines)
  if #region == 0 then return end
  layout:program(ring_program.text(request, name, variant))
  layout:place(name, region, parameters)
end

-- cannon, meshgemm, and 2.5d, meshgemm on several grids. Rows whose A is aligned against the direction of the steps have four more
-- colours; the first row has nothing to align.
function layouts.rings(request)
  local P = request.P
  local layout, common = wse.layout(request.layers * P, P), {}
  barrier.add(layout, request, common)
  homeward.add(layout, request, common)
  if not ring_program.moves(request) then
    place(layout, request, "tile", {rounds = false}, {0, P - 1}, common)
    return layout
  end
  local shift = request.aligned and rings.back or rings.plain_shift
  add_shifts(layout, shift(request.ring), request, common)
  local function parameters(more)
    for name, value in pairs(common) do more[name] = value end
    return more
  end
  if not request.aligned then
    place(layout, request, "tile", {rounds = false}, {0, P - 1}, parameters{})
    return layout
  end
  local other = add_shift(layout, "other", rings.on(request.ring), "x", {1, P - 1, 2}, grids_of(request))
  local first = request.code == "best" and 2 or 0
  if first > 0 then
    place(layout, request, "tile", {rounds = false}, 0, parameters{})
  end
  place(layout, request, "even", {rounds = true}, {first, P - 1, 2}, parameters{rounds = "y / 2"})
  place(layout, request, "odd", {rounds = true, other_way = true}, {1, P - 1, 2},
        parameters{rounds = "(y + 1) / 2", align_tx = function(x) return other.sends[x % P] end,
                   align_rx = function(x) return other.receives[x % P] end})
  return layout
end

-- allgather: the position of PE p on a ring as an expression of its number.
local function position(name, P)
  return ("(%s %% 2 == 0 ? %s / 2 : %d - (%s + 1) / 2)"):format(name, name, P, name)
end

function layouts.gathers(request)
  local P = request.P
  local layout, parameters = wse.layout(P, P), {}
  barrier.add(layout, request, parameters)
  layout:program(gather_program.text(request, "tile"))
  if ring_program.moves(request) then
    add_shifts(layout, rings.back(request.ring), request, parameters)
    parameters.first = ("(%s - %s) %% %d"):format(position("x", P), position("y", P), P)
  end
  layout:place("tile", layout:all(), parameters)
  return layout
end

-- A chain along rows: a PE sends on the colour of its parity, and hears that of its neighbour.
local function add_chain(layout, P, name, ahead, back, first, last)
  local colours, all = layout:colours(name, 2), {0, P - 1}
  for parity = 0, 1 do
    local colour = colours[parity + 1]
    layout:route(colour, layout:rect({first[parity], last[parity], 2}, all), "ramp -> " .. ahead)
    local step = ahead == "east" and 1 or -1
    layout:route(colour, layout:rect({first[parity] + step, last[parity] + step, 2}, all),
                 back .. " -> ramp")
  end
  return function(x) return colours[x % 2 + 1] end, function(x) return colours[(x + 1) % 2 + 1] end
end

-- meshgemm-t: B goes round the rings of columns, sums go both ways along rows.
function layouts.transposed(request)
  local P = request.P
  local layout, parameters = wse.layout(P, P), {}
  barrier.add(layout, request, parameters)
  layout:program(transposed_program.text(request, "tile"))
  if transposed_program.moves(request) then
    local b = add_shift(layout, "b", rings.back(request.ring), "y", {0, P - 1})
    parameters.b_tx = function(_, y) return b.sends[y] end
    parameters.b_rx = function(_, y) return b.receives[y] end
    parameters.east_tx, parameters.east_rx =
      add_chain(layout, P, "east", "east", "west", {[0] = 0, 1}, {[0] = P - 2, P - 2})
    parameters.west_tx, parameters.west_rx =
      add_chain(layout, P, "west", "west", "east", {[0] = 2, 1}, {[0] = P - 1, P - 1})
    parameters.first = position("y", P)
  end
  layout:place("tile", layout:all(), parameters)
  return layout
end

-- The places of a line: {name, range of numbers, hub = whether it is the middle}. Only with a
-- barrier does the middle have a program of its own: no PE may receive too many colours.
local function places_of(P, with_hub)
  local hub, places = with_hub and P // 2 or -1, {}
  local function add(name, first, last)
    if first <= last then places[#places + 1] = {name, {first, last}, hub = first == hub} end
  end
  local function kind(p)
    if P == 1 then return "middle" end
    return p == 0 and "first" or p == P - 1 and "last" or "middle"
  end
  local first = 0
  for p = 0, P - 1 do
    local ends = p == P - 1 or kind(p + 1) ~= kind(p) or p == hub or p + 1 == hub
    if ends then
      add(kind(p), first, p)
      first = p + 1
    end
  end
  return places
end

-- summa, summa-multicast: every colour is known to all PEs and suspended at first.
function layouts.broadcasts(request)
  local layout, parameters = wse.layout(request.P, request.P), {}
  barrier.add(layout, request, parameters)
  local moving = broadcast_program.moves(request)
  if moving then
    for _, tile in ipairs{"a", "b"} do
      for _, colour in ipairs(broadcast_program.colours(request, tile)) do layout:colour(colour) end
    end
  end
  local places = places_of(request.P, request.barrier == "step")
  for number, column in ipairs(places) do
    for other, row in ipairs(places) do
      local region, name = layout:rect(column[2], row[2]), "tile_" .. number .. "_" .. other
      local at = {a = column[1], b = row[1], hubs = {x = column.hub, y = row.hub}}
      layout:program(broadcast_program.text(request, name, at))
      layout:place(name, region, parameters)
      if moving then layouts.suspend(layout, request, at, region) end
    end
  end
  return layout
end

function layouts.suspend(layout, request, places, region)
  for _, tile in ipairs{"a", "b"} do
    for _, colour in ipairs(broadcast_program.colours(request, tile)) do
      layout:route(colour, region, broadcast_program.routes[tile][places[tile]].own .. " torn_down")
    end
  end
end

return layouts
