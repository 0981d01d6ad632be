-- Rings on a line of P PEs: who sends to whom, on which of a few colours, and the routes of that.
--
--   plain        0 1 2 ... P-1: neighbours are one hop apart, but the last one is P-1 hops away;
--   interleaved  0 2 4 ... 5 3 1: every hop to a neighbour takes at most two links.
--
-- A shift moves what each PE has to the PE at the position before its own (`back`), or after it.
local rings = {}

-- place[r]: the PE at position r of the ring; position[p]: the position of PE p.
local function ring_of(place)
  local position = {}
  for r = 0, #place do position[place[r]] = r end
  return {P = #place + 1, place = place, position = position}
end

function rings.plain(P)
  local place = {}
  for r = 0, P - 1 do place[r] = r end
  return ring_of(place)
end

function rings.interleaved(P)
  local place, r = {}, 0
  for p = 0, P - 1, 2 do place[r], r = p, r + 1 end
  for p = (P - 1) - P % 2, 1, -2 do place[r], r = p, r + 1 end
  return ring_of(place)
end

-- Colours of the plain ring: three in turn, by the PE that receives, and one that goes all the way
-- back. Neighbours on the line would be served by two; three keep a PE's own apart from both.
local function plain_colour(from, to)
  if to > from + 1 or to < from - 1 or from == 0 and to == 1 then return 3 end
  return to % 3
end

-- Colours of the interleaved ring: even PEs send in one direction, odd ones in the other, and each
-- message passes one router of the other kind. Two in turn for each kind keep apart what a router
-- receives, sends and passes on.
local function interleaved_colour(from)
  if from % 2 == 0 then return from // 2 % 2 end
  return 2 + (from + 1) // 2 % 2
end

rings.colours = 4  -- of a shift, at most

-- The edges of a shift, one for each PE but that of a ring of one: {from =, to =, colour = 0..3}.
-- `step` is -1 for a shift back, 1 for a shift on.
local function edges_of(ring, step, colour)
  local edges = {}
  if ring.P == 1 then return edges end
  for p = 0, ring.P - 1 do
    local to = ring.place[(ring.position[p] + step) % ring.P]
    edges[#edges + 1] = {from = p, to = to, colour = colour(p, to)}
  end
  return edges
end

function rings.plain_shift(ring) return edges_of(ring, -1, plain_colour) end
function rings.back(ring) return edges_of(ring, -1, interleaved_colour) end
function rings.on(ring) return edges_of(ring, 1, interleaved_colour) end

-- {sends = {[p] = colour}, receives = {[p] = colour}}
function rings.users(edges)
  local sends, receives = {}, {}
  for _, edge in ipairs(edges) do
    sends[edge.from], receives[edge.to] = edge.colour, edge.colour
  end
  return {sends = sends, receives = receives}
end

local kSides = {x = {[-1] = "west", [1] = "east"}, y = {[-1] = "north", [1] = "south"}}

-- Returns the routes of routers: {[colour] = {[route text] = {p, ...}}}
local function routes_of(edges, axis)
  local routes = {}
  local function add(colour, text, p)
    local of_colour = routes[colour] or {}
    routes[colour] = of_colour
    of_colour[text] = of_colour[text] or {}
    table.insert(of_colour[text], p)
  end
  for _, edge in ipairs(edges) do
    local step = edge.to > edge.from and 1 or -1
    local ahead, back = kSides[axis][step], kSides[axis][-step]
    add(edge.colour, "ramp -> " .. ahead, edge.from)
    for p = edge.from + step, edge.to - step, step do add(edge.colour, back .. " -> " .. ahead, p) end
    add(edge.colour, back .. " -> ramp", edge.to)
  end
  return routes
end

-- Numbers as few progressions {first, last, step}: distances in a list are mostly equal.
local function progressions(list)
  table.sort(list)
  local found, k = {}, 1
  while k <= #list do
    local step = list[k + 1] and list[k + 1] - list[k] or 1
    local last = k
    while list[last + 1] and list[last + 1] - list[last] == step do last = last + 1 end
    found[#found + 1] = {list[k], list[last], step}
    k = last + 1
  end
  return found
end

-- Adds the routes of a shift along `axis` ("x" or "y") to the layout. colours: [0..3]; `first`: the
-- first PE of the line; `lines`: which lines, {first, last, step}.
function rings.route(layout, edges, axis, colours, first, lines)
  local routes = routes_of(edges, axis)
  for number = 0, rings.colours - 1 do
    local texts = {}
    for text in pairs(routes[number] or {}) do texts[#texts + 1] = text end
    table.sort(texts)
    for _, text in ipairs(texts) do
      for _, run in ipairs(progressions(routes[number][text])) do
        local along = {first + run[1], first + run[2], run[3]}
        local region = axis == "x" and layout:rect(along, lines) or layout:rect(lines, along)
        layout:route(colours[number], region, text)
      end
    end
  end
end

return rings
