-- The programs of mach on small wafers: no word differs from the interpreter's, every figure is told, and fusion
-- saves cycles where arrays are short. What mach_problems asks on one machine each, mach_problems_long on all.
local on_wafer = {names = {"listing1", "slices", "unstructured", "heat", "cg", "ising", "flow", "particles", "two_phase"}}

local kSmall = {
  listing1 = {width = 4, height = 2, nz = 9}, slices = {width = 6, height = 4, nz = 9},
  unstructured = {width = 4, height = 4, nz = 6}, heat = {width = 6, height = 6, nz = 50, steps = 3},
  cg = {width = 6, height = 4, nz = 6}, ising = {width = 4, height = 4, nz = 4, sweeps = 3, warmup = 2},
  flow = {width = 6, height = 4, nz = 50, steps = 5}, particles = {width = 4, height = 2, nz = 5},
  two_phase = {width = 4, height = 4, nz = 2, steps = 10, volumes = 0.1},
}
local kShared = {"cycles", "rpcs", "sections", "section_breaks", "setup_share", "worker_bytes",
                 "worker_bytes_without_reuse", "largest_live_bytes", "controller_bytes", "colours", "response",
                 "differing_words", "max_abs_error"}
local kOwn = {listing1 = {"iterations", "total"}, cg = {"iterations", "total"}, ising = {"energy"},
              heat = {"rate", "rate_exact"}, flow = {"rate", "rate_exact"}, particles = {"absorbed"}, two_phase = {"water", "balance"}}
local function told(name, figures)
  for _, list in ipairs{kShared, kOwn[name] or {}} do
    for _, field in ipairs(list) do assert(math.type(figures[field]), name .. " does not tell " .. field) end
  end
  assert(figures.setup_share > 0 and figures.setup_share <= 1, name .. ": " .. figures.setup_share)
end

-- Runs the program with and without fusion. Fusion saves set-up, of which a call has as much less on wse2 as a task
-- starts at once: 1.17 times as fast, 1.28 where tasks start in 13 cycles (mach_problems asks).
function on_wafer.check(name, machine)
  local options, run = kSmall[name], require("mach." .. name).run
  options.machine, options.fuse = machine, false
  local plain = run(options)
  options.fuse = true
  local fused = run(options)
  assert(plain.differing_words == 0 and fused.differing_words == 0, name .. " on " .. machine)
  told(name, plain)
  told(name, fused)
  local gains = machine == "wse2" and (name == "heat" or name == "flow")
  assert(not gains or plain.cycles >= 1.17 * fused.cycles, name .. ": " .. plain.cycles / fused.cycles)
end

return on_wafer
