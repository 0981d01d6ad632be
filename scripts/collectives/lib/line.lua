-- Derives what every PE and every router of a line does from a tree (trees.lua) and the colours of its
-- messages (colouring.lua). The line goes away from its root, PE 0; messages go home.
--
-- On one colour a router first takes the messages of its PE's children, then sends that of its PE,
-- then passes on what comes from farther away: at most three switch positions, `uses`:
--   take: away -> ramp      send: ramp -> home      pass: away -> home
-- After the last message of a position somebody turns the switch: the PE's own send with
-- `advance`; the last child with a control wavelet after its data, which turns its own router's
-- switch too. Routers between them pass, in their last position, where a control turns nothing.
--
-- A role is what a PE does: {takes = {{colour =, count =}, ...}, send = colour, advance = flag,
-- control = flag}; grids.lua adds `apart`: the send waits for all that is received.
-- Must never know directions, numbers of colours on the wafer, or code.
local trees = require "collectives.lib.trees"

local line = {}

-- {[colour] = {[v] = true}}: what passes the router of v. A difference array per colour.
local function passing(tree, colours, count)
  local passes = {}
  for c = 0, count - 1 do
    local change, set, depth = {}, {}, 0
    for v, colour in ipairs(colours) do
      if colour == c then
        local p = tree.parent[v]
        change[p + 1] = (change[p + 1] or 0) + 1
        change[v] = (change[v] or 0) - 1
      end
    end
    for v = 0, tree.size - 1 do
      depth = depth + (change[v] or 0)
      if depth > 0 then set[v] = true end
    end
    passes[c] = set
  end
  return passes
end

-- Runs of messages that follow each other on one colour.
local function runs_of(children, colours)
  local runs = {}
  for _, child in ipairs(children) do
    local run = runs[#runs]
    if run and run.colour == colours[child] then
      run.count = run.count + 1
    else
      runs[#runs + 1] = {colour = colours[child], count = 1}
    end
  end
  return runs
end

-- Marks as `control` the last child on each colour that the router of v uses for more.
local function order_controls(v, children, colours, own, passes, roles)
  local seen = {}
  for k = #children, 1, -1 do
    local child = children[k]
    local c = colours[child]
    if not seen[c] then
      seen[c] = true
      if c == own or passes[c][v] then roles[child].control = true end
    end
  end
  return seen
end

local function uses_of(v, takes, own, passes, count)
  local uses = {}
  for c = 0, count - 1 do
    local list = {}
    if takes[c] then list[#list + 1] = "take" end
    if c == own then list[#list + 1] = "send" end
    if passes[c][v] then list[#list + 1] = "pass" end
    if #list > 0 then uses[c] = list end
  end
  return uses
end

-- {roles = {[v] = role}, uses = {[v] = {[colour] = {use, ...}}}, controls = how many are sent}.
-- `always`: the last child of every PE sends a control wavelet, also where nothing passes later, as
-- the authors' trees do.
function line.plan(tree, colours, count, always)
  local children = trees.children(tree)
  local passes = passing(tree, colours, count)
  local roles, uses, controls = {}, {}, 0
  for v = 0, tree.size - 1 do roles[v] = {send = colours[v]} end
  for v = 0, tree.size - 1 do
    local role, own = roles[v], colours[v]
    role.takes = runs_of(children[v], colours)
    local taken = order_controls(v, children[v], colours, own, passes, roles)
    local last = children[v][#children[v]]
    if always and last then roles[last].control = true end
    uses[v] = uses_of(v, taken, own, passes, count)
    if role.control then controls = controls + 1 end  -- the parent, a lower number, has said so
    role.advance = own ~= nil and passes[own][v] == true and not role.control
  end
  return {roles = roles, uses = uses, controls = controls, tree = tree, colours = colours,
          count = count}
end

return line
