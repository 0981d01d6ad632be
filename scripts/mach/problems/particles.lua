-- Particles in a slab of layers: in each step one moves on by a layer, leaves at either end, is
-- absorbed, or is scattered into a direction drawn anew. Each worker has its own count of particles
-- that are still there, and keeps those in front: positions by sums over the flags in front of each,
-- then a put. Expected values come from the same chain in double precision.
local command = require "mach.problems.command"
local host = require "wse.host"
local mach = require "mach"
local format, sqrt = string.format, math.sqrt

local particles = {name = "particles", arguments = {nz = 32, layers = 8, absorption = 0.1,
                                                    scattering = 0.3, steps = 200},
                   ranges = {layers = {1}, steps = {0}}}

local function build(p, options)
  local n = options.nz
  local function whole(name, value) return p:LA(name, n + 1, value, "i32") end  -- and place n
  local layer, heading, stays = whole("layer", 0), whole("heading", 1), whole("stays", 0)
  local place, outside, draw = whole("place", 0), whole("outside", 0), p:LA("draw", n + 1)
  local count = p:LS("count", n, "i32")
  local here = p:GS("here", options.width * options.height * n, "i32")
  local tallies = {}
  for _, name in ipairs{"absorbed", "reflected", "transmitted"} do
    tallies[name] = p:GS(name, 0, "i32")
  end
  p:output(here, tallies.absorbed, tallies.reflected, tallies.transmitted, count)
  local alive = ":, :, :count"

  local function tally(name, flags)
    stays:set(0)
    stays[alive] = flags
    tallies[name]:set(tallies[name] + p:sum(stays))
  end

  -- How many stay up to each place, by doubling the reach; those that do not stay go to place n.
  local function pack()
    place:set(stays)
    local reach = 1
    while reach <= n do
      place[format(":, :, %d:", reach)] = place[format(":, :, %d:", reach)]
                                          + place[format(":, :, :-%d", reach)]
      reach = reach * 2
    end
    count:set(place[":, :, -1"])
    place:set(mach.where(stays, "==", 1, place - 1, n))
    p:put(layer, place, layer)
    p:put(heading, place, heading)
  end

  p:loop(options.steps, function()
    p:break_if(here, "==", 0)
    layer[alive] = layer[alive] + heading[alive]
    outside[alive] = mach.where(layer[alive], "<", 0, 1,
                                mach.where(layer[alive], ">=", options.layers, 2, 0))
    draw[alive] = mach.random()
    tally("reflected", mach.where(outside[alive], "==", 1, 1, 0))
    tally("transmitted", mach.where(outside[alive], "==", 2, 1, 0))
    local taken = mach.convert(mach.where(draw[alive], "<", options.absorption, 1, 0), "i32")
    tally("absorbed", mach.where(outside[alive], "==", 0, taken, 0))
    local back = mach.where(draw[alive], "<", options.absorption + options.scattering / 2,
                            -heading[alive], heading[alive])
    heading[alive] = back
    stays:set(0)
    stays[alive] = mach.where(outside[alive], "==", 0, 1 - taken, 0)
    pack()
    here:set(p:sum(count))
  end)
end

-- The chain in doubles: who is absorbed, leaves at the front, at the back, of one particle.
function particles.expected(options)
  local now = {[1] = {}, [-1] = {}}
  for layer = -1, options.layers do now[1][layer], now[-1][layer] = 0, 0 end
  now[1][0] = 1
  local absorbed, reflected, transmitted = 0, 0, 0
  for _ = 1, options.steps do
    local new = {[1] = {}, [-1] = {}}
    for layer = -1, options.layers do new[1][layer], new[-1][layer] = 0, 0 end
    for _, heading in ipairs{1, -1} do
      for layer = 0, options.layers - 1 do
        local to, share = layer + heading, now[heading][layer]
        if to < 0 then
          reflected = reflected + share
        elseif to >= options.layers then
          transmitted = transmitted + share
        else
          absorbed = absorbed + share * options.absorption
          local turned = share * options.scattering / 2
          new[-heading][to] = new[-heading][to] + turned
          new[heading][to] = new[heading][to] + share * (1 - options.absorption) - turned
        end
      end
    end
    now = new
  end
  return {absorbed = absorbed, reflected = reflected, transmitted = transmitted}
end

function particles.run(given)
  local options = command.options(particles, given)
  if not (options.absorption >= 0 and options.scattering >= 0
          and options.absorption + options.scattering / 2 <= 1) then
    host.raise(format("absorption = %s, scattering = %s: from 0 on, absorption + scattering / 2 at "
                      .. "most 1 are wanted", options.absorption, options.scattering))
  end
  local p = command.program(options)
  build(p, options)
  local result = command.run(p, options)
  local total = options.width * options.height * options.nz
  local expected, found = particles.expected(options), {total = total, left = result:value("here")}
  found.accounted, found.deviation = found.left, 0
  for _, name in ipairs{"absorbed", "reflected", "transmitted"} do
    local share = expected[name]
    found[name] = result:value(name)
    found[name .. "_expected"] = share * total
    found.accounted = found.accounted + found[name]
    local spread = sqrt(total * share * (1 - share))
    if spread > 0 then
      found.deviation = math.max(found.deviation, math.abs(found[name] - share * total) / spread)
    end
  end
  return command.figures(result, found)
end

function particles.lines(figures)
  return format("  of %d: absorbed %d (%.1f expected), reflected %d (%.1f), transmitted %d (%.1f), left "
                .. "%d; %d accounted for, at most %.2f standard deviations off", figures.total,
                figures.absorbed, figures.absorbed_expected, figures.reflected,
                figures.reflected_expected, figures.transmitted, figures.transmitted_expected,
                figures.left, figures.accounted, figures.deviation)
end

return particles
