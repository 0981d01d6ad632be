-- Wavefields on grids of any shape equal a double-precision run to 1e-5: smaller than the stencil,
-- one column, odd and not square, with blocks that do and do not divide the column, and spacings
-- that differ. Each run also checks its counts of elements, operations and stalls.
local acoustic = require "stencil.acoustic25"

-- Where vector instructions overlap, the stalls of one may be hidden by the drain of another.
local overlapping = {base = "wse2", vector_overlap = 1, vector_latency = 2, descriptor_load = 1, tsc_read = 2}
local overlapping3 = {base = "wse3", vector_overlap = 1, vector_latency = 2, vector_drain = 3, descriptor_load = 1,
                      load = 1, branch = 3, branch_taken = 6, task_start = 0}
local machines = {"wse2", "wse3", "model", overlapping, overlapping3}
local runs, worst = 0, 0
local shapes = {{1, 1}, {1, 2}, {2, 1}, {3, 2}, {4, 3}, {5, 1}, {6, 4}, {9, 5}, {11, 7}, {1, 13}}
for _, kernel in ipairs{"paper", "fused", "static", "compiled"} do
  for k, shape in ipairs(shapes) do
    for j, nz in ipairs{1, 2, 5, 13} do
      local machine = machines[(k + j) % #machines + 1]
      local is_wse3 = machine == "wse3" or machine == overlapping3
      -- A queue of wse3 has one colour: kernel=static has too many.
      if kernel == "static" and is_wse3 then machine, is_wse3 = "wse2", false end
      local result = acoustic.run{
        nx = shape[1], ny = shape[2], nz = nz, steps = 6, kernel = kernel, check = true,
        block = (k + j) % 3 == 0 and nz > 3 and 4 or nil, machine = machine,
        banks = kernel == "paper" and (k % 2 == 0 and "same" or "other") or nil, dx = 13.0, dy = 27.0,
        source = {shape[1] // 3, shape[2] - 1, nz // 2}}
      assert(result.max_rel_error <= 1e-5)
      -- On wse3 any two memory sources conflict; how often they do, the run itself checks. The only two of a compiled
      -- program may do so beside a drain.
      local conflicts = kernel == "paper" or is_wse3
      assert(conflicts or result.memory_stall_share == 0)
      assert(machine ~= "wse3" or kernel == "compiled" or result.memory_stall_share > 0)
      worst, runs = math.max(worst, result.max_rel_error), runs + 1
    end
  end
end
print(string.format("%d wavefields, at most %.2g off", runs, worst))
