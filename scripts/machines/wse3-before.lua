-- The profile wse3 with its constants before short vectors were measured against, as wse2-before.lua
-- has those of wse2. Start, drain, scalar code and task start were those of WSE-2 then, and the ramp
-- that of the hardware.
return {
  base = "wse3",
  ramp_latency_cycles = 5,
  vector_start_cycles = 2,
  vector_drain_cycles = 4,
  vector_overlap = 0,
  vector_latency_cycles = 0,
  float_latency_cycles = 0,
  stride_line_bytes = 0,
  bank_conflict_banks = 1,
  bank_conflict_width = 0,
  task_start_cycles = 13,
  descriptor_load_cycles = 10,
  descriptor_fetch_cycles = 10,
  load_cycles = 2,
  branch_cycles = 1,
  branch_taken_cycles = 3,
  tsc_read_cycles = 14,
}
