-- Products that are checked as they are run.
local gemm = require "gemm.gemm"

local checked = {runs = 0}
checked.algorithms = {"summa", "summa-multicast", "cannon", "meshgemm", "meshgemm-t", "allgather"}

-- Links of all lines of P PEs in both directions, of rows or columns alone.
local function links(P) return 2 * P * (P - 1) end

-- What every run promises: exact integers, or within what rounding explains; few colours; ways as
-- long as the algorithm's; one tile per move over every directed link of a ring.
local function check_counters(result, request)
  local P = result.P
  if request.barrier == "step" and P > 1 then return end  -- its words count, too
  assert(result.steps == P and result.colours <= (result.algorithm == "2.5d" and 20 or 12))
  local tiles = (request.a_bytes + request.b_bytes) // 4
  local times = (request.repeats + request.warmup) * request.moves
  if result.algorithm == "2.5d" then
    assert(result.max_hops <= 2 and result.colours <= 14)
  elseif P == 1 then
    assert(result.hops == 0 and result.max_hops == 0 and result.colours == 0)
  elseif result.algorithm == "cannon" then
    local moves = result.code == "best" and P - 1 or P
    assert(result.max_hops == P - 1 and result.colours <= 8)
    assert(result.hops == times * moves * links(P) * tiles, result.hops)
  elseif result.algorithm == "allgather" then
    assert(result.max_hops == math.min(2, P - 1) and result.colours <= 8)
    assert(result.hops == times * (P - 1) * links(P) * tiles)
  elseif result.algorithm == "meshgemm-t" then
    assert(result.max_hops == math.min(2, P - 1) and result.colours <= 8)
  elseif result.algorithm == "meshgemm" then
    assert(result.max_hops == math.min(2, P - 1))
  else
    assert(result.max_hops == P - 1)
  end
end

-- Rounds of the alignment of A, counted by rows.
local function aligned_hops(P, code, words)
  local rounds = 0
  for y = 0, P - 1 do rounds = rounds + (code == "best" and (y + 1) // 2 or P // 2) end
  return rounds * 2 * (P - 1) * words
end

local function check_alignment(result, request)
  if result.algorithm ~= "meshgemm" or result.P == 1 or request.barrier == "step" then return end
  local P, words = result.P, request.a_bytes // 4
  local repeats = request.repeats + request.warmup
  local moves = (result.code == "best" and P - 1 or P) * request.moves
  assert(result.hops == repeats * (moves * links(P) * (request.a_bytes + request.b_bytes) // 4
                                   + aligned_hops(P, result.code, words)))
end

-- Runs a product without its shares. Integers must be exact.
function checked.run(options)
  local given = {shares = false, check = true}
  for name, value in pairs(options) do given[name] = value end
  local result, record, request, matrices = gemm.run(given)
  checked.runs = checked.runs + 1
  local what = string.format("%s P=%d %dx%dx%d %s/%s %s %s", result.algorithm, result.P, result.M,
                             result.K, result.N, result.type, result.accumulate, result.code,
                             result.machine)
  assert(result.compared == result.M * result.N, what)
  if request.input == "integers" then
    assert(result.max_abs_error == 0, what .. ": off by " .. result.max_abs_error)
  else
    assert(result.bound_share <= 1, what .. ": off by " .. result.bound_share .. " bounds")
  end
  check_counters(result, request)
  check_alignment(result, request)
  return result, record, request, matrices
end

return checked
