-- Do errors fall with the eighth power of the spacing and the second one of the time step? Against an exact solution
-- on a line, (f(s - v t) + f(s + v t)) / 2, which stays far from the border: along x, y and z.
local acoustic = require "stencil.modelling.acoustic"
local plain = require "stencil.reference.plain"
local shots = require "stencil.minimod"
local wave = require "stencil.lib.wave"

local kLength, kSpeed, kTime = 100.0, 2000.0, 0.12  -- of the pulse in m, m/s, s
local function pulse(s) return math.exp(-(s / kLength) ^ 2) end
local function exact(s, t) return (pulse(s - kSpeed * t) + pulse(s + kSpeed * t)) / 2 end

-- Returns the grid of a line of `cells`, spacing h, whose pulse begins in the middle, and a function of (cell number,
-- read) that reads a value of it.
local function pulse_line(axis, cells, h, steps)
  local sizes, spacings = {1, 1, 1}, {1e9, 1e9, 1e9}
  sizes[axis], spacings[axis] = cells, h
  local request = shots.request{ngrid = table.concat(sizes, ","), dgrid = table.concat(spacings, ","), pml = "0",
                                nsteps = steps, vmax = kSpeed, velocity = "2000", dt = kTime / steps}
  local function at(t)
    return function(x, y, z) return exact(((x + y + z) - cells // 2) * h, t) end
  end
  local g, fields = acoustic.grid(request, {p = {initial = at(0.0), before = at(-request.dt)}})
  return g, function(k, read)
    local cell = {0, 0, 0}
    cell[axis] = k
    return read(fields.p.field, table.unpack(cell))
  end
end

-- Returns the values after kTime, in double.
local function in_double(axis, cells, h, steps)
  local g, read = pulse_line(axis, cells, h, steps)
  local result, list = plain.run(g, steps), {}
  for k = 0, cells - 1 do list[k] = read(k, result.value) end
  return list
end

local function error_of(list, cells, h)
  local most = 0.0
  for k = 0, cells - 1 do most = math.max(most, math.abs(list[k] - exact((k - cells // 2) * h, kTime))) end
  return most
end

local kExtent = 1200.0  -- m: 240 m of travel and 3.6 lengths of the pulse on either side
-- Errors of the time step have even powers; two of them remove the second one.
for axis = 1, 3 do
  local errors, spacings = {}, {40.0, 30.0, 22.5}
  for k, h in ipairs(spacings) do
    local cells, steps = math.ceil(kExtent / h), math.ceil(kTime * kSpeed / (0.1 * h))
    local once, twice = in_double(axis, cells, h, steps), in_double(axis, cells, h, 2 * steps)
    for i = 0, cells - 1 do once[i] = (4 * twice[i] - once[i]) / 3 end
    errors[k] = error_of(once, cells, h)
  end
  for k = 1, 2 do
    local order = math.log(errors[k] / errors[k + 1]) / math.log(spacings[k] / spacings[k + 1])
    assert(order > 7.0 and order < 9.0, ("order %.2f along axis %d: %g %g"):format(order, axis, errors[k], errors[k + 1]))
  end
end

-- In time, on the machine.
local in_time = {}
for k, steps in ipairs{16, 32, 64} do
  local g, read = pulse_line(3, 60, 25.0, steps)
  local result, list = g:run{steps = steps, force = true}, {}
  for i = 0, 59 do list[i] = read(i, result.value) end
  in_time[k] = error_of(list, 60, 25.0)
end
for k = 1, 2 do
  local order = math.log(in_time[k] / in_time[k + 1], 2)
  assert(order > 1.9 and order < 2.1, ("order %.2f in time: %g %g"):format(order, in_time[k], in_time[k + 1]))
end

-- ---- coefficients of one velocity, as floats: their sum and second moments are the exact ones, so that waves keep their speed

local function as_f32(value) return (string.unpack("<f", string.pack("<f", value))) end
for _, spacings in ipairs{{20.0, 20.0, 20.0}, {15.0, 20.0, 25.0}, {1e9, 1e9, 12.5}} do
  for _, velocity in ipairs{0.0, 1500.0, 2000.0, 3123.0, 4500.0} do
    local dx, dy, dz = table.unpack(spacings)
    local exact_ones = wave.coefficients{dt = 0.8 * wave.stable_dt(4500.0, dx, dy, dz), velocity = velocity, dx = dx,
                                         dy = dy, dz = dz}
    local floats = wave.balanced(exact_ones)
    local sum, moments, exact_moments = floats.centre, 0.0, 0.0
    for _, axis in ipairs{"x", "y", "z"} do
      for m = 1, wave.reach do
        local value = floats[axis][m]
        assert(value == as_f32(value) and math.abs(value - exact_ones[axis][m]) <= 2e-6 * math.abs(exact_ones[axis][m]), axis .. m)
        sum = sum + 2 * value
        moments, exact_moments = moments + m ^ 2 * value, exact_moments + m ^ 2 * exact_ones[axis][m]
      end
    end
    assert(floats.centre == as_f32(exact_ones.centre) and math.abs(sum - 2) < 1e-10, velocity .. " " .. sum)
    assert(math.abs(moments - exact_moments) < 1e-7, velocity .. " " .. moments - exact_moments)
  end
end
