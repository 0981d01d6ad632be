-- Random programs of mach on the virtual wafer: every word of every output as the interpreter has it,
-- fused and not, on three machines; count=N from seed=N on. Errors planted in kernels, masks, memory and
-- the order of sums are found.
local kernels = require "mach.lower.kernels"
local reduction_order = require "mach.lang.reduction_order"
local slices = require "mach.vm.slices"
local programs = require "support.mach_programs"
local wse = require "wse"

local count, seed = wse.argument("count", 30), wse.argument("seed", 1)
wse.no_more_arguments()
local machines, calls, sections = {"wse2", "wse3", "model"}, 0, 0
for k = seed, seed + count - 1 do
  local p = programs.build(k, k % 2 == 0, nil, machines[k % 3 + 1])
  local fine, result = pcall(p.run, p, {wafer = true})
  assert(fine, ("seed %d: %s"):format(k, tostring(result)))
  assert(result.user.differing_words == 0, ("seed %d: %d words differ, %s"):format(
         k, result.user.differing_words, result.user.first_difference))
  calls, sections = calls + result.user.rpcs, sections + result.user.sections
end
-- ---- planted errors, each found by one of a few programs

local function found(seeds)
  for k = 1, seeds do
    local fine, result = pcall(function()
      local p = programs.build(k, k % 2 == 0)
      return p:run{wafer = true}.user.differing_words
    end)
    if fine and result > 0 then return true end
  end
  return false
end

local function planted(what, holder, name, wrong)
  local right = holder[name]
  holder[name] = wrong
  local was_found = found(12)
  holder[name] = right
  assert(was_found, what .. " is not found")
end

planted("a kernel", kernels.vectors.f32, "add", "fsubs")
planted("a branch", kernels.branches.f32, "<", "fbge")
planted("a kernel of integers", kernels.vectors.i32, "max", "min32")
local mask = slices.mask
planted("a mask", slices, "mask", function(xs, ys, ...) return mask(xs:gsub("^1:", "0:"), ys, ...) end)

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
reduction_order.total = function(locals, _, _, combine)
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
