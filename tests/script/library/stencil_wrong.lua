-- What is asked for and cannot be is refused before anything runs, with what would fit.
local acoustic = require "stencil.acoustic25"
local star = require "stencil.star"

local function refused(library, options, text)
  local ok, message = pcall(library.run, options)
  assert(not ok, text .. ": it ran")
  assert(message:find(text, 1, true), message)
  return message
end

refused(acoustic, {nx = 0}, "nx = 0: an integer of at least 1 is wanted")
refused(acoustic, {ny = -3}, "ny = -3: an integer of at least 1 is wanted")
refused(acoustic, {nz = 1.5}, "nz = 1.5: an integer of at least 1 is wanted")
refused(acoustic, {steps = 0}, "steps = 0: an integer of at least 1 is wanted")
refused(acoustic, {nz = 10, block = 11}, "block = 11: an integer of 1 to 10 is wanted")
refused(acoustic, {velocity = 0.0}, "velocity = 0.0: a number above 0 is wanted")
refused(acoustic, {dx = -1.0}, "dx = -1.0: a number above 0 is wanted")
refused(acoustic, {fmax = 0 / 0}, "a number above 0 is wanted")
refused(acoustic, {kernel = "best"}, "kernel = best: paper, fused, static or compiled is wanted")
refused(acoustic, {banks = "third"}, "banks = third: same or other is wanted")
refused(acoustic, {nx = 4, ny = 5, nz = 6, source = "4,0,0"},
        "source = 4,0,0: a cell x,y,z inside is wanted, 0,0,0 to 3,4,5")
refused(acoustic, {source = "1,2"}, "a cell x,y,z inside is wanted")
refused(acoustic, {source = "1,2,0x1"}, "numbers with commas between are wanted")
refused(acoustic, {source = "0,-1,0"}, "a cell x,y,z inside is wanted")
refused(acoustic, {colour = 1}, "a stencil has no option 'colour'")
refused(acoustic, {kernel = "fused", nz = 10, block = 3},
        "block = 3: kernel=fused takes an even block, or the whole column, 10")
refused(acoustic, {kernel = "static", nz = 10, block = 3}, "block = 3: kernel=static takes an even block")
refused(acoustic, {kernel = "compiled", nz = 10, block = 3}, "block = 3: kernel=compiled takes an even block")
refused(acoustic, {kernel = "compiled", nz = 10, block = 11}, "block = 11: an integer of 1 to 10 is wanted")
refused(acoustic, {kernel = "static", machine = "wse3"},
        "kernel = static: its 18 colours want a queue each on this machine, which has 8")

refused(acoustic, {kernel = "fused", banks = "same"}, "banks = same: kernel=paper has that choice")
refused(star, {shape = "box", coefficients = "1,2,3,4,5,6,7,8,9", banks = "same"},
        "banks = same: kernel=paper has that choice, not box")
refused(acoustic, {kernel = "compiled", banks = "same"}, "banks = same: kernel=paper has that choice, not compiled")
refused(star, {kernel = "static", coefficients = "1,1"}, "kernel = static: paper or compiled is wanted")
refused(star, {kernel = "paper", shape = "box", coefficients = "1,2,3,4,5,6,7,8,9"},
        "kernel = paper: box or compiled is wanted")

-- A time step beyond the stable one, and just within it.
local message = refused(acoustic, {dt = 0.01}, "dt = 0.01 is not stable: at most 0.00201269 is")
assert(message:find("force=true runs it", 1, true))
local stable = tonumber(message:match("at most (%S+) is"))
refused(acoustic, {dt = stable * 1.0001}, "is not stable")
assert(acoustic.run{dt = stable * 0.9999, steps = 2}.max_rel_error < 1e-5)
assert(acoustic.run{dt = 0.01, steps = 2, force = true}.max_rel_error < 1e-5)

-- What does not fit into a PE: the map, and an nz and a block that do.
message = refused(acoustic, {nz = 5000}, "bytes in a PE, which has 49152")
assert(message:find("received", 1, true) and message:find("samples", 1, true))
local nz, block = message:match("nz = (%d+) fits with block = (%d+)")
nz = math.tointeger(nz)
assert(acoustic.request{nz = nz}.block == math.tointeger(block))
assert(not pcall(acoustic.request, {nz = nz + 1}))
block = math.tointeger(message:match("block = (%d+) fits nz = 5000"))
acoustic.request{nz = 5000, block = block}
assert(not pcall(acoustic.request, {nz = 5000, block = block + 2}))
refused(acoustic, {nz = 5000, block = 3000, kernel = "fused"}, "fits nz = 5000")

-- These take as few blocks as fit, so what they refuse fits no block.
for kernel, most in pairs{fused = 2000, static = 3500} do
  assert(acoustic.request{nz = most, kernel = kernel}.blocks == 1)
  for _, cells in ipairs{4000, 4500, 5000} do
    local request = acoustic.request{nz = cells, kernel = kernel}
    assert(request.blocks > 1 and request.block % 2 == 0 and request.plan:total() <= 49152)
  end
end
for _, kernel in ipairs{"paper", "fused", "static"} do
  message = refused(acoustic, {nz = 100000, kernel = kernel}, "is the most")
  nz, block = message:match("nz = (%d+) is the most, with block = (%d+)")
  nz, block = math.tointeger(nz), math.tointeger(block)
  acoustic.request{nz = nz, block = block, kernel = kernel}
  assert(not pcall(acoustic.request, {nz = nz + 1, block = 2, kernel = kernel}))
end
assert(acoustic.request{nz = 1000}.plan:total() <= 49152)
message = refused(acoustic, {nz = 9000, kernel = "compiled"}, "bytes in a PE, which has 49152")
assert(message:find("u_even", 1, true) and message:find("code", 1, true))
nz = math.tointeger(message:match("nz = (%d+) fits"))
local compiled = acoustic.request{nz = nz, kernel = "compiled"}
assert(compiled.blocks > 1 and compiled.plan:total() <= 49152)
assert(not pcall(acoustic.request, {nz = nz + 64, kernel = "compiled"}))
refused(acoustic, {source = "none", machine = {base = "wse2", memory_bytes = 1024}},
        "nothing fits this machine")
refused(acoustic, {steps = 50000, fmax = 0.01},
        "the source has 50000 values: less steps or a higher fmax are wanted")

-- A field of another shape.
local record = acoustic.layout{nx = 3, ny = 2, nz = 4}:run{}
record:save("even", "stencil_field.npy")
for _, kernel in ipairs{"paper", "compiled"} do
  refused(acoustic, {kernel = kernel, nx = 3, ny = 2, nz = 5, ["in"] = "stencil_field.npy"},
          "in: stencil_field.npy: shape (2, 3, 4), but (ny, nx, nz) is (2, 3, 5)")
  refused(acoustic, {kernel = kernel, nx = 2, ny = 3, nz = 4, before = "stencil_field.npy"},
          "before: stencil_field.npy: shape (2, 3, 4), but (ny, nx, nz) is (3, 2, 4)")
  acoustic.run{kernel = kernel, nx = 3, ny = 2, nz = 4, ["in"] = "stencil_field.npy"}
  refused(acoustic, {kernel = kernel, ["in"] = "no_such_file.npy"}, "in: cannot read 'no_such_file.npy'")
end
refused(star, {coefficients = "1e999,1"}, "coefficients = 1e999,1: numbers with commas between are wanted")

refused(star, {}, "radius = 1: coefficients are wanted, as in coefficients=-4,1")
refused(star, {radius = 3}, "radius = 3: coefficients are wanted")
refused(star, {radius = 5, coefficients = "1,1"}, "radius = 5: an integer of 1 to 4 is wanted")
refused(star, {radius = 0, coefficients = "1"}, "radius = 0: an integer of 1 to 4 is wanted")
refused(star, {dims = 4, coefficients = "1,1"}, "dims = 4: an integer of 2 to 3 is wanted")
refused(star, {radius = 2, coefficients = "1,1"},
        "radius = 2, dims = 2 wants 3 numbers, the centre and those of the distances 1 to 2, or 5")
refused(star, {coefficients = "1,x"}, "numbers with commas between are wanted")
refused(star, {shape = "ring", coefficients = "1,1"}, "shape = ring: star or box is wanted")
refused(star, {shape = "box", coefficients = "1,1"}, "a box wants 9 numbers")
refused(star, {shape = "box", radius = 2, coefficients = "1"}, "radius = 1 and dims = 2 are wanted")
refused(star, {shape = "box", block = 2, nz = 4, coefficients = "1,2,3,4,5,6,7,8,9"},
        "all planes of a box go together, 4")
refused(star, {dims = 3, nz = 20000, coefficients = "1,1"}, "bytes in a PE, which has 49152")
print("everything wrong is refused")
