-- Routes as text, "[west -> ramp] [-> east] ring pop=always", read and written.
-- A route: positions {rx =, tx =} (a port and a mask) by number 1..4, ring, pop, torn_down, start.
local check = require "wse.layout.check"
local host = require "wse.host"
local topology = require "wse.layout.topology"
local ipairs, type, pairs = ipairs, type, pairs
local format, gmatch, match, gsub = string.format, string.gmatch, string.match, string.gsub
local concat, math_type, tointeger = table.concat, math.type, math.tointeger

local route_text = {}

local kPositions = host.switch_positions
local kPops = {}
for _, mode in ipairs(host.pop_modes) do kPops[mode] = true end
route_text.pops = kPops

local function refuse(call, text, why)
  host.raise(format("%s: the route '%s': %s", call, text, why))
end

local function port_of(call, text, name, net)
  for port = 0, net.ramp do
    if net.names[port] == name then return port end
  end
  local known = {}
  for port = 0, net.ramp do known[#known + 1] = net.names[port] end
  refuse(call, text, format("unknown side '%s'%s", name, check.instead(name, known)))
end

local function sides(call, text, list, net)
  local mask, count = 0, 0
  if match(list, "^%s*$") then return 0, 0 end
  for name in gmatch(list .. ",", "%s*(.-)%s*,") do
    if name == "" then refuse(call, text, "a side is missing beside a comma") end
    local bit = 1 << port_of(call, text, name, net)
    if mask & bit ~= 0 then refuse(call, text, format("'%s' is given twice", name)) end
    mask, count = mask | bit, count + 1
  end
  return mask, count
end

-- "[west -> ramp] [east ->]" for several sides to come from.
local function positions_for(net, rx, tx)
  local texts = {}
  for port = 0, net.ramp do
    if rx >> port & 1 == 1 then
      local to = #texts == 0 and tx ~= 0 and " " .. topology.text(net, tx) or ""
      texts[#texts + 1] = format("[%s ->%s]", net.names[port], to)
    end
  end
  return concat(texts, " ")
end

-- One position, "west -> east, ramp"; a side that is missing is that of the one before.
local function position(call, text, whole, before, net)
  local from, to = match(text, "^(.-)%->(.*)$")
  if not from then refuse(call, whole, "'west -> east, ramp' is wanted, with '->'") end
  local rx, count = sides(call, whole, from, net)
  local tx = sides(call, whole, to, net)
  if count > 1 then
    refuse(call, whole, "a position takes wavelets from one side; several sides take several "
           .. "positions, " .. positions_for(net, rx, tx) .. ", or several colours")
  end
  if (rx == 0 or tx == 0) and (not before or rx == tx) then
    refuse(call, whole, "a side is missing beside '->'")
  end
  if rx == 0 then rx = before.rx else
    local port = 0
    while rx >> port & 1 == 0 do port = port + 1 end
    rx = port
  end
  return {rx = rx, tx = tx == 0 and before.tx or tx}
end

-- The position in which a router begins, counted from 0.
function route_text.start(call, value, route)
  return check.integer(call, "start", value, 0, #route - 1)
end

local function options(call, text, rest, route)
  for word in gmatch(rest, "%S+") do
    local pop, start = match(word, "^pop=(.*)$"), match(word, "^start=(%d+)$")
    if word == "ring" then route.ring = true
    elseif word == "torn_down" then route.torn_down = true
    elseif pop and kPops[pop] then route.pop = pop
    elseif start then route.start = route_text.start(call, tointeger(start), route)
    elseif pop then
      refuse(call, text, format("unknown pop mode '%s'%s", pop,
                                check.instead(pop, check.sorted_keys(kPops))))
    else
      refuse(call, text, format("unknown option '%s'%s", word,
                                check.instead(word, {"ring", "torn_down", "pop=always", "start=1"})))
    end
  end
end

local function add(call, route, text, whole, net)
  local number = #route + 1
  if number > kPositions then
    refuse(call, whole, "a colour has at most 4 positions at a router")
  end
  route[number] = position(call, text, whole, route[number - 1], net)
end

local function of_text(call, text, net)
  local route = {}
  check.one_line(call, "the route", text)
  if match(text, "^%s*%[") then
    local rest = text
    while match(rest, "^%s*%[") do
      local inside, behind = match(rest, "^%s*%[([^%]]*)%](.*)$")
      if not inside then refuse(call, text, "a ']' is missing") end
      add(call, route, inside, text, net)
      rest = behind
    end
    options(call, text, rest, route)
    return route
  end
  local from, to, rest = match(text, "^([^>]*%->)([%s%w_,]*)(.*)$")
  if not from then refuse(call, text, "'west -> east, ramp' is wanted, with '->'") end
  -- options follow the last side without a comma: "west -> east, ramp ring pop=always"
  local listed, behind = match(to, "^(%s*[%w_]+)(.*)$")
  while behind and match(behind, "^%s*,") do
    local more, further = match(behind, "^(%s*,%s*[%w_]*)(.*)$")
    listed, behind = listed .. more, further
  end
  add(call, route, from .. (listed or ""), text, net)
  options(call, text, (behind or "") .. rest, route)
  return route
end

local kFields = {ring = true, pop = true, torn_down = true, start = true}

local function of_table(call, list, net)
  local route = {}
  if #list == 0 then host.raise(call .. ": a route has at least one position") end
  for _, text in ipairs(list) do
    check.one_line(call, "a position", text)
    add(call, route, (gsub(text, "^%s*%[(.*)%]%s*$", "%1")), text, net)
  end
  local named = {}
  for key, value in pairs(list) do
    if math_type(key) ~= "integer" then named[key] = value end
  end
  check.fields(call, named, kFields)
  if named.pop ~= nil and not kPops[named.pop] then
    host.raise(format("%s: pop is %s; it is one of %s", call, check.shown(named.pop),
                      concat(check.sorted_keys(kPops), ", ")))
  end
  for _, key in ipairs{"ring", "torn_down"} do
    if named[key] ~= nil and type(named[key]) ~= "boolean" then
      check.wanted(call, key, "true or false", named[key])
    end
    route[key] = named[key] or nil
  end
  route.pop = named.pop
  route.start = named.start and route_text.start(call, named.start, route)
  return route
end

-- Reads what a user gives: a text, or a list of texts with options.
function route_text.given(call, value, net)
  if type(value) == "table" then return of_table(call, value, net) end
  return of_text(call, check.text(call, "the route", value), net)
end

-- Canonical: a later position names one side where the other stays, as wse2 wants it.
function route_text.text(route, net)
  local texts = {}
  for k, now in ipairs(route) do
    local before = route[k - 1]
    local rx, tx = net.names[now.rx], topology.text(net, now.tx)
    if before and before.rx == now.rx then rx = "" end
    if before and before.tx == now.tx and rx ~= "" then tx = "" end
    local text = gsub(gsub(rx .. " -> " .. tx, "^ ", ""), " $", "")
    texts[k] = #route == 1 and text or "[" .. text .. "]"
  end
  if route.ring then texts[#texts + 1] = "ring" end
  if route.pop then texts[#texts + 1] = "pop=" .. route.pop end
  if route.torn_down then texts[#texts + 1] = "torn_down" end
  if route.start then texts[#texts + 1] = "start=" .. route.start end
  return concat(texts, " ")
end

return route_text
