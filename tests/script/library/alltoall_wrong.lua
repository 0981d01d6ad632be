-- What is asked for and cannot be is refused before anything runs, with what is wanted.
local broadcast = require "alltoall.broadcast"
local personalised = require "alltoall.personalised"
local reduce = require "alltoall.reduce"

local function refused(library, options, text)
  local ok, message = pcall(library.run, options)
  assert(not ok, text .. ": it ran")
  assert(message:find(text, 1, true), message)
end

refused(broadcast, {d = 13}, "d = 13: an integer of 1 to 12")
refused(broadcast, {d = 0}, "d = 0: an integer of 1 to 12")
refused(broadcast, {m = 0}, "m = 0: an integer of at least 1")
refused(broadcast, {m = 1.5}, "m = 1.5: an integer")
refused(broadcast, {order = "grey"}, "order = grey: binary or gray is wanted")
refused(broadcast, {topology = "torus"}, "topology = torus: hypercube or mesh is wanted")
refused(broadcast, {algorithm = "ring"}, "node-at-a-time, through-root, send-and-spread or row-column")
refused(broadcast, {type = "f16"}, "type = f16: f32, i32 or f64-as-pairs is wanted")
refused(broadcast, {index = "keep"}, "index = keep: compute or move is wanted")
refused(broadcast, {d = 3, steps = 8}, "steps = 8: an integer of 0 to 7")
refused(broadcast, {seed = -1}, "seed = -1: an integer of at least 0")
refused(broadcast, {colour = 1}, "has no option 'colour'")
refused(broadcast, {algorithm = "node-at-a-time", steps = 3}, "node-at-a-time has no equal steps")
refused(broadcast, {algorithm = "send-and-spread", index = "move"}, "compute is wanted")
refused(broadcast, {d = 4, m = 512, machine = "wse2"}, "beside code; m = ")
refused(broadcast, {d = 12, m = 4, machine = "wse2"}, "no m fits at this d")
refused(broadcast, {d = 4, machine = {base = "model", colours = 7}}, "d = 3 fits")
local shown, why = pcall(broadcast.index_rows, {algorithm = "row-column", topology = "mesh", d = 2})
assert(not shown and why:find("show = index: not of row-column", 1, true))
refused(reduce, {type = "f64-as-pairs"}, "a reduction has f32 or i32")
refused(reduce, {op = "mul"}, "op = mul: add, max or min is wanted")
refused(reduce, {algorithm = "binomial"}, "one-cycle, d-cycles or reduce-and-spread is wanted")
refused(reduce, {algorithm = "one-cycle", index = "move"}, "index = move: one-cycle needs no indices")
refused(personalised, {algorithm = "d-cycles"}, "algorithm = d-cycles: binomial, gather or scatter")
refused(personalised, {d = 9, m = 9, machine = "wse2"}, "beside code; m = 2 fits")
refused(personalised, {topology = "mesh"}, "topology = mesh: hypercube is wanted here")
refused(broadcast, {topology = "mesh", d = 9}, "d = 9: an integer of 1 to 8")
refused(broadcast, {topology = "mesh", algorithm = "node-at-a-time"},
        "topology=mesh, which has one-cycle, d-cycles, binomial, row-column")
refused(broadcast, {algorithm = "row-column"}, "row-column: not on topology=hypercube")
refused(personalised, {algorithm = "gather", steps = 2}, "gather has no equal steps; binomial")

-- What is said to fit, fits.
for _, case in ipairs{
  {broadcast, d = 4}, {broadcast, d = 4, algorithm = "one-cycle"},
  {broadcast, d = 5, algorithm = "binomial"}, {broadcast, d = 4, algorithm = "node-at-a-time"},
  {broadcast, d = 3, algorithm = "send-and-spread"}, {broadcast, d = 4, topology = "mesh"},
  {reduce, d = 4}, {reduce, d = 3, algorithm = "one-cycle"},
  {reduce, d = 3, algorithm = "reduce-and-spread"}, {reduce, d = 4, topology = "mesh"},
  {personalised, d = 3}, {personalised, d = 3, algorithm = "gather"}} do
  local library, options = case[1], {m = 100000, machine = "model"}
  for name, value in pairs(case) do
    if name ~= 1 then options[name] = value end
  end
  local _, message = pcall(library.run, options)
  options.m = math.tointeger(tonumber(message:match("m = (%d+) fits")))
  assert(library.run(options).max_abs_error == 0)
end
