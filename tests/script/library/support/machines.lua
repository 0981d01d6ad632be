-- Machines beside the profiles, whose vector instructions overlap: what computes costs must hold on
-- all of them.
local machines = {}

-- Every vector instruction waits for the finish of the one before it, and a literal descriptor costs
-- what one from memory does.
machines.wse2_before = "scripts/machines/wse2-before.lua"
machines.wse3_before = "scripts/machines/wse3-before.lua"
-- Every price another one, and none that a profile has; a drain longer than the turn of a loop, and an
-- element that the next instruction waits for longer than the turn takes.
machines.odd = {
  base = "wse2", name = "odd", descriptor_load = 3, descriptor_fetch = 7, tsc_read = 5,
  vector_start = 5, vector_drain = 11, vector_overlap = 1, vector_latency = 14, branch = 2,
  branch_taken = 7, load = 3, simple = 2, task_start = 9, ramp_latency = 3, hop_latency = 3,
  up_ramp_depth = 8, down_ramp_depth = 8, router_depth = 8}

-- {name, machine}, in this order, as whoever runs something takes it.
machines.all = {
  {"wse2", "wse2"}, {"wse3", "wse3"}, {"wse2-before", machines.wse2_before},
  {"wse3-before", machines.wse3_before}, {"odd", machines.odd}}

return machines
