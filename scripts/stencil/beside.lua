-- Cycles of what the compiler makes of equations beside those of programs written by hand, which compute
-- the same: the wave of acoustic25, stars and the box of star.lua:
--   wsevm run scripts/stencil/beside.lua nz=100,334,1000 --machine=wse3
local host = require "wse.host"
local twins = require "stencil.study.twins"
local wse = require "wse"

local side, steps = wse.argument("side", 12, 1, 200), wse.argument("steps", 4, 1, 1000)
local depths = wse.argument("nz", "100,334,1000")
wse.no_more_arguments()

local rows = {}

-- Adds a row; programs that this machine has no colours for have none.
local function add(name, options)
  options.nx, options.ny, options.steps, options.check = side, side, steps, false
  local fine, both = pcall(twins.compare, options)
  if not fine then
    if not tostring(both):find("colours", 1, true) then error(both, 0) end
    return
  end
  rows[#rows + 1] = {name = name, nz = options.nz, hand = both.hand, made = both.made, ratio = both.made / both.hand,
                     routes = both.mode}
end

local first
for text in depths:gmatch("[^,]+") do
  local nz = math.tointeger(tonumber(text))
  if not nz or nz < 1 then host.raise("nz = " .. depths .. ": integers above 0 with commas between are wanted") end
  first = first or nz
  for _, kernel in ipairs{"static", "fused"} do add("25 points, " .. kernel, {nz = nz, kernel = kernel}) end
end
for radius = 1, 4 do
  add("star, radius " .. radius, {nz = first, dims = 3, radius = radius, coefficients = "0.4" .. (",0.1"):rep(radius)})
end
add("box", {nz = 3, shape = "box", coefficients = "1,2,1,2,-4,2,1,2,1"})
print(wse.table(rows, {{name = "name", title = "program"}, "nz", {name = "hand", title = "by hand"},
                       {name = "made", title = "compiled"}, {name = "ratio", format = "%.3f"}, "routes"}))
