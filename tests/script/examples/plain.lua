-- Plain loops for the five examples of scripts/stencil, in double, beside the files that they write:
--     wsevm run plain.lua folder=FOLDER
-- FOLDER has heat.npy, smooth.npy, box27.npy, layers.npy and shallow.npy, of the default arguments. Must know
-- nothing of the compiler and its expressions but how to read a file.
local files = require "stencil.lang.files"
local wse = require "wse"
local folder = wse.argument("folder", ".")
wse.no_more_arguments()

local kMostOff = 2e-6  -- of the largest value: 50 steps in float

-- Returns an array of numbers, 0 beyond its ends, and of(f) of its cells.
local function filled(nx, ny, nz, f)
  local cells = {}
  local function at(x, y, z)
    if x < 0 or y < 0 or z < 0 or x >= nx or y >= ny or z >= nz then return 0.0 end
    return cells[(z * ny + y) * nx + x]
  end
  for z = 0, nz - 1 do
    for y = 0, ny - 1 do
      for x = 0, nx - 1 do cells[(z * ny + y) * nx + x] = f(x, y, z) end
    end
  end
  return at
end

-- Compares a file with an array. It must hold something.
local function compare(name, nx, ny, nz, wanted)
  local got = files.read("plain", name, folder .. "/" .. name .. ".npy", nx, ny, nz)
  local worst, largest = 0.0, 0.0
  for z = 0, nz - 1 do
    for y = 0, ny - 1 do
      for x = 0, nx - 1 do
        local value = wanted(x, y, z)
        worst, largest = math.max(worst, math.abs(got(x, y, z) - value)), math.max(largest, math.abs(value))
      end
    end
  end
  assert(largest > 0 and worst <= kMostOff * largest, ("%s: off by %g of %g"):format(name, worst, largest))
  print(("%s: %d x %d x %d cells, off by %.1g of the largest"):format(name, nx, ny, nz, worst / largest))
end

-- Five points in a plane: heat from the side x = 0, which stays.
local function heat(nx, ny, steps)
  local u = filled(nx, ny, 1, function(x) return x == 0 and 1.0 or 0.0 end)
  for _ = 1, steps do
    local old = u
    u = filled(nx, ny, 1, function(x, y)
      if x == 0 then return old(x, y, 0) end
      return old(x, y, 0) + 0.2 * (old(x - 1, y, 0) + old(x + 1, y, 0) + old(x, y - 1, 0) + old(x, y + 1, 0)
                                   - 4 * old(x, y, 0))
    end)
  end
  compare("heat", nx, ny, 1, u)
end

-- A box of nine points.
local function smooth(nx, ny, steps)
  local weights = {[0] = 2, [1] = 1, [-1] = 1}
  local u = filled(nx, ny, 1, function(x, y) return (x // 4 + y // 4) % 2 * 16.0 end)
  for _ = 1, steps do
    local old = u
    u = filled(nx, ny, 1, function(x, y)
      local sum = 0.0
      for dy = -1, 1 do
        for dx = -1, 1 do sum = sum + weights[dx] * weights[dy] * old(x + dx, y + dy, 0) end
      end
      return sum / 16
    end)
  end
  compare("smooth", nx, ny, 1, u)
end

-- 27 points in space; the weight of a neighbour depends on how many of its coordinates differ.
local function box27(nx, ny, nz, steps)
  local weights = {[0] = -128 / 30, 14 / 30, 3 / 30, 1 / 30}
  local u = filled(nx, ny, nz, function(x, y, z) return (x + 2 * y + 3 * z) % 5 - 2.0 end)
  for _ = 1, steps do
    local old = u
    u = filled(nx, ny, nz, function(x, y, z)
      local sum = 0.0
      for dz = -1, 1 do
        for dy = -1, 1 do
          for dx = -1, 1 do
            sum = sum + weights[math.abs(dx) + math.abs(dy) + math.abs(dz)] * old(x + dx, y + dy, z + dz)
          end
        end
      end
      return old(x, y, z) + 0.25 * sum
    end)
  end
  compare("box27", nx, ny, nz, u)
end

-- A Laplacian of eighth order with a coefficient for each cell; a source of three values.
local function layers(nx, ny, nz, steps)
  local c = {[0] = -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560}
  local source = {1.0, 2.0, 1.0}
  local u = filled(nx, ny, nz, function() return 0.0 end)
  local before = u
  for step = 1, steps do
    local old, older = u, before
    u = filled(nx, ny, nz, function(x, y, z)
      local sum = 3 * c[0] * old(x, y, z)
      for m = 1, 4 do
        sum = sum + c[m] * (old(x - m, y, z) + old(x + m, y, z) + old(x, y - m, z) + old(x, y + m, z)
                            + old(x, y, z - m) + old(x, y, z + m))
      end
      local courant = (z < nz // 2 and 2000.0 or 3000.0) * 0.0015 / 20.0
      local is_source = x == nx // 2 and y == ny // 2 and z == nz // 3
      return 2 * old(x, y, z) - older(x, y, z) + courant ^ 2 * sum + (is_source and source[step] or 0.0)
    end)
    before = old
  end
  compare("layers", nx, ny, nz, u)
end

-- Shallow water on a C grid: u and v lie half a cell behind h; no flow through the walls.
local function shallow(nx, ny, steps)
  local by_slope, by_flow = 15.0 * 9.81 / 1000.0, 15.0 * 100.0 / 1000.0
  local h = filled(nx, ny, 1, function(x, y) return math.exp(-((x - nx / 2) ^ 2 + (y - ny / 2) ^ 2) / 20) end)
  local u = filled(nx, ny, 1, function() return 0.0 end)
  local v = u
  for _ = 1, steps do
    local old_h, old_u, old_v = h, u, v
    u = filled(nx, ny, 1, function(x, y)
      return x == nx - 1 and 0.0 or old_u(x, y, 0) - by_slope * (old_h(x + 1, y, 0) - old_h(x, y, 0))
    end)
    v = filled(nx, ny, 1, function(x, y)
      return y == ny - 1 and 0.0 or old_v(x, y, 0) - by_slope * (old_h(x, y + 1, 0) - old_h(x, y, 0))
    end)
    h = filled(nx, ny, 1, function(x, y)
      return old_h(x, y, 0) - by_flow * (u(x, y, 0) - u(x - 1, y, 0) + v(x, y, 0) - v(x, y - 1, 0))
    end)
  end
  compare("shallow", nx, ny, 1, h)
end

heat(64, 48, 50)
smooth(40, 30, 4)
box27(10, 9, 20, 3)
layers(12, 11, 60, 10)
shallow(48, 32, 40)
