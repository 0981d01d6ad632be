-- The Ising model on a square lattice with free borders: a spin for each worker, nz replicas in
-- memory, Metropolis steps on one colour of a checkerboard after the other. The exact energy comes
-- from the transfer matrix, spin by spin, on lattices up to 10 wide.
local command = require "mach.problems.command"
local checks = require "support.checks"
local derived = require "support.figures"
local mach = require "mach"
local format, exp = string.format, math.exp

local ising = {name = "ising", arguments = {width = 8, height = 8, nz = 32, temperature = 2.0,
                                            sweeps = 400, warmup = 100},
               ranges = {sweeps = {0}, warmup = {0}}}

-- The sum of the neighbours; those beyond the borders are 0.
local function add_neighbours(to, spin)
  to[":, :, :"] = 0
  to["1:, :, :"] = to["1:, :, :"] + spin[":-1, :, :"]
  to[":-1, :, :"] = to[":-1, :, :"] + spin["1:, :, :"]
  to[":, 1:, :"] = to[":, 1:, :"] + spin[":, :-1, :"]
  to[":, :-1, :"] = to[":, :-1, :"] + spin[":, 1:, :"]
end

-- With what probability a spin turns over, by spin times neighbours, -4 to 4.
local function chances(temperature)
  return function(_, _, i) return math.min(1, exp(-2 * (i - 4) / temperature)) end
end

local function build(p, options)
  local spin, near = p:LA("spin", options.nz, 1), p:LA("near", options.nz)
  local chance = p:LA("chance", 9, chances(options.temperature))
  local colours = {}
  for k = 0, 1 do
    colours[k] = p:LS("colour" .. k, function(x, y) return (x + y) % 2 == k and 1 or 0 end)
  end
  local bonds = p:GS("bonds", 0)
  p:output(spin, bonds)
  local function sweep()
    for k = 0, 1 do
      add_neighbours(near, spin)
      local turns = p:take(chance, mach.convert(spin * near + 4, "i32")) * colours[k]
      spin:set(mach.where(mach.random(), "<", turns, -spin, spin))
    end
  end
  p:loop(options.warmup, sweep)
  p:loop(options.sweeps, function()
    sweep()
    add_neighbours(near, spin)
    bonds:set(bonds + p:dot(spin, near))
  end)
end

-- Z and dZ/d(beta), over all states of the last `width` spins, as one spin after the other is added.
function ising.exact(width, height, temperature)
  local beta, states = 1 / temperature, 1 << width
  local z, dz = {}, {}
  for s = 0, states - 1 do z[s], dz[s] = s == 0 and 1 or 0, 0 end
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      local new_z, new_dz = {}, {}
      for s = 0, states - 1 do new_z[s], new_dz[s] = 0, 0 end
      for s = 0, states - 1 do
        if z[s] ~= 0 then
          for spin = 0, 1 do
            local bonds = 0
            if y > 0 then bonds = bonds + ((s >> x & 1) == spin and 1 or -1) end
            if x > 0 then bonds = bonds + ((s >> (x - 1) & 1) == spin and 1 or -1) end
            local to, factor = s & ~(1 << x) | spin << x, exp(beta * bonds)
            new_z[to] = new_z[to] + factor * z[s]
            new_dz[to] = new_dz[to] + factor * (dz[s] + bonds * z[s])
          end
        end
      end
      z, dz = new_z, new_dz
    end
    -- Numbers stay small: a factor of both drops out of their ratio.
    for s = 0, states - 1 do z[s], dz[s] = z[s] * 2.0 ^ -width, dz[s] * 2.0 ^ -width end
  end
  local sum, slope = 0, 0
  for s = 0, states - 1 do sum, slope = sum + z[s], slope + dz[s] end
  return -slope / sum / (width * height)
end

function ising.run(given)
  local options = command.options(ising, given)
  checks.positive("temperature", options.temperature)
  local p = command.program(options)
  build(p, options)
  local result = command.run(p, options)
  local spins = options.width * options.height * options.nz * options.sweeps
  local small = math.min(options.width, options.height) <= 10
  local exact = small and ising.exact(math.min(options.width, options.height),
                                      math.max(options.width, options.height), options.temperature)
  return command.figures(result, {energy = derived.ratio(-result:value("bonds") / 2, spins, "no sweep"),
                                  energy_exact = exact and derived.finite(exact, "beyond the range of doubles"),
                                  temperature = options.temperature})
end

function ising.lines(figures)
  return format("  energy per spin %s at T = %g, %s", derived.text("%.5f", figures.energy),
                figures.temperature, figures.energy_exact
                and derived.text("%.5f", figures.energy_exact) .. " by the transfer matrix"
                or "too wide for the transfer matrix")
end

return ising
