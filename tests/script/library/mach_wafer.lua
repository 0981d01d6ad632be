-- Random programs of mach on the virtual wafer, 50 of them, or count=N from seed=N on: every word of every
-- output as the interpreter has it, fused and not, on three machines; each construct occurs. Errors planted
-- in kernels, masks, exchanges, places, memory and the order of sums are found.
local kernels = require "mach.lower.kernels"
local reduction_order = require "mach.lang.reduction_order"
local shift = require "mach.kernels.shift"
local slices = require "mach.vm.slices"
local programs = require "support.mach_programs"
local wse = require "wse"

local count, seed = wse.argument("count", 50), wse.argument("seed", 1)
wse.no_more_arguments()
local machines, calls, sections, counts = {"wse2", "wse3", "model"}, 0, 0, {}
for k = seed, seed + count - 1 do
  local p = programs.build(k, k % 2 == 0, counts, machines[k % 3 + 1])
  local fine, result = pcall(p.run, p, {wafer = true})
  assert(fine, ("seed %d: %s"):format(k, tostring(result)))
  assert(result.user.differing_words == 0, ("seed %d: %d words differ, %s"):format(
         k, result.user.differing_words, result.user.first_difference))
  calls, sections = calls + result.user.rpcs, sections + result.user.sections
end
for _, what in ipairs{"rank 3", "rank 4", "rank 5", "rank 6", "f32", "f16", "i32", "moved", "ULS", "GS", "GA",
                      "own_length", "new_length", "message", "take", "put", "several axes", "sum", "min",
                      "max", "dot", "add", "sub", "mul", "div", "neg", "abs", "sqrt", "where", "convert",
                      "random", "loop", "for_each", "while", "if", "break", "reduction", "global element",
                      "drain", "chain", "tree", "clipped", "empty", "cells"} do
  assert((counts[what] or 0) >= count / 10, what .. " is rare: " .. (counts[what] or 0))
end

-- ---- planted errors, each found by one of a few programs

local function found(seeds)
  for k = 1, seeds do
    local fine, result = pcall(function()
      local p = programs.build(k, k % 2 == 0)
      return p:run{wafer = true}.user.differing_words
    end)
    -- Values differ, or the machine ends badly.
    if fine and result > 0 or not fine and result:find("wse.run: ", 1, true) then return true end
  end
  return false
end

local function planted(what, holder, name, wrong)
  local right = holder[name]
  holder[name] = wrong
  local was_found = found(40)
  holder[name] = right
  assert(was_found, what .. " is not found")
end

planted("a kernel", kernels.vectors.f32, "add", "fsubs")
planted("a branch", kernels.branches.f32, "<", "fbge")
planted("a kernel of integers", kernels.vectors.i32, "max", "min32")
local mask = slices.mask
planted("a mask", slices, "mask", function(xs, ys, ...) return mask(xs:gsub("^1:", "0:"), ys, ...) end)

local turn = shift.turn
planted("a state of the exchange", shift, "turn", function(code, first, last, name)
  turn(code, first, last == 2 and 1 or last, name)
end)
local take = kernels.take
planted("a list of places", kernels, "take", function(node, listed, own)
  return take(node, not listed, own)
end)

-- An order of sums, by numbers of which every order gives another one.
local mach = require "mach"
local function differing_sums()
  local p = mach.program{width = 8, height = 4}
  local a, t = p:LA("a", 3, function(x, y, i) return (0.1 + x) ^ (1 + i) / (0.7 + y) end), p:ULS("t")
  t:set(p:sum(a))
  return p:run{wafer = true}.user.differing_words
end
assert(differing_sums() == 0)
local total = reduction_order.total
reduction_order.total = function(locals, _, _, combine, _)
  local sum = locals[1]
  for k = 2, #locals do sum = combine(sum, locals[k]) end
  return sum
end
assert(differing_sums() == 32, "another order of sums is not found")
reduction_order.total = total

local function shifted(p)
  p:memory()
  for _, item in ipairs(p.plan.workers.items) do
    if item.value and item.value.temporary then item.address = 0 end
  end
  return p:run{wafer = true}.user.differing_words
end
local in_memory = false
for k = 1, 6 do
  local fine, words = pcall(shifted, programs.build(k, false))
  in_memory = in_memory or not fine or words > 0  -- the machine traps where an instruction overlaps itself
end
assert(in_memory, "an error in memory is not found")
print(("%d programs, %d calls, %d sections: no word differs"):format(count, calls, sections))
