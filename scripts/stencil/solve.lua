-- Linear systems of seven points, solved on the PEs alone:
--   wsevm run scripts/stencil/solve.lua method=bicgstab ngrid=16,16,32
-- SOLVERS.md has the arguments. With require "stencil.solve" it gives solvers/init.lua.
local solvers = require "stencil.solvers"
if ... then return solvers end  -- a module gets its name

local files = require "stencil.lang.files"
local shared = require "support.command"
local wse = require "wse"

local kSizes = "ngrid"  -- decides what a PE has to hold

local request = shared.call(kSizes, solvers.request, shared.options{
  ngrid = "", method = "", precision = "", tolerance = 1.0, most = 1, shift = 1.0, contrast = 1.0, k = "", b = "", out = "", check = true})
local found = shared.call(kSizes, solvers.run, request)
local n = found.iterations
local rounds = found.rounds and (" of %d rounds"):format(found.rounds) or ""
print(("%s, %d x %d x %d cells: %s in %d iterations%s, residual %.2g"):format(request.method, request.nx, request.ny, request.nz,
  found.converged and "converged" or "did not converge", n, rounds, found.residual))
print(("%.0f cycles per iteration: %.0f operator, %.0f totals, %.0f updates; %d bytes of a PE"):format(found.cycles / n,
  found.cycles_of.operator / n, found.cycles_of.totals / n, found.cycles_of.updates / n, found.bytes))
if found.rounds then print(("%.0f cycles of each residual in f32"):format(found.cycles_of_rounds / found.rounds)) end
if request.check then
  print(("iterations of plain evaluation: %d in float, %d in double"):format(found.iterations_in_float, found.iterations_in_double))
end
if request.out then files.write("out = " .. request.out, request.out, request.nx, request.ny, request.nz, found.value) end
wse.user{iterations = n, converged = found.converged, residual = found.residual, cycles_per_iteration = found.cycles / n,
         cycles_of_operator = found.cycles_of.operator / n, cycles_of_totals = found.cycles_of.totals / n,
         cycles_of_updates = found.cycles_of.updates / n, rounds = found.rounds,
         cycles_of_round = found.rounds and found.cycles_of_rounds / found.rounds, memory_bytes_per_pe = found.bytes, machine = found.machine}
