-- Machines whose vector instructions follow each other, beside the profiles: what computes costs must
-- hold on all of them.
local machines = {}

-- wse2 and wse3 with what short vectors were measured to take.
machines.short_wse2 = {
  base = "wse2", name = "short wse2", descriptor_load = 1, descriptor_fetch = 10, tsc_read = 2,
  vector_start = 2, vector_drain = 4, vector_overlap = 1, vector_latency = 2}
machines.short_wse3 = {
  base = "wse3", name = "short wse3", descriptor_load = 1, descriptor_fetch = 10, tsc_read = 2,
  vector_start = 3, vector_drain = 3, vector_overlap = 1, vector_latency = 2, branch = 3,
  branch_taken = 6, load = 1, task_start = 0, ramp_latency = 3}
-- Every price another one, and none that a profile has; a drain longer than the turn of a loop, and an
-- element that the next instruction waits for longer than the turn takes.
machines.odd = {
  base = "wse2", name = "odd", descriptor_load = 3, descriptor_fetch = 7, tsc_read = 5,
  vector_start = 5, vector_drain = 11, vector_overlap = 1, vector_latency = 14, branch = 2,
  branch_taken = 7, load = 3, simple = 2, task_start = 9, ramp_latency = 3, hop_latency = 3,
  up_ramp_depth = 8, down_ramp_depth = 8, router_depth = 8}

-- {name, machine}, in this order, as whoever runs something takes it.
machines.all = {
  {"wse2", "wse2"}, {"wse3", "wse3"}, {"short wse2", machines.short_wse2},
  {"short wse3", machines.short_wse3}, {"odd", machines.odd}}

return machines
