-- The profile wse2 with its constants before short vectors were measured against: every instruction
-- waits for the drain of the one before it, a descriptor costs what one from memory costs, and a time
-- stamp what two of the measured programs cost. Takes the cycles that were told then.
return {
  base = "wse2",
  vector_overlap = 0,
  vector_latency_cycles = 0,
  float_latency_cycles = 0,
  map_gap_cycles = 0,
  task_start_cycles = 13,
  descriptor_load_cycles = 10,
  descriptor_fetch_cycles = 10,
  tsc_read_cycles = 14,
}
