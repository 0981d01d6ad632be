-- What is asked for and cannot be is refused before anything runs, with what would fit.
local gemm = require "gemm.gemm"
local requests = require "gemm.lib.requests"
local wse = require "wse"

local function refused(options, text)
  local ok, message = pcall(gemm.run, options)
  assert(not ok, text .. ": it ran")
  assert(message:find(text, 1, true), message)
  return message
end

refused({P = 0}, "P = 0: an integer of at least 1 is wanted")
refused({P = 2.5}, "P = 2.5: an integer of at least 1 is wanted")
refused({M = 0}, "M = 0: an integer of at least 1 is wanted")
refused({K = -4}, "K = -4: an integer of at least 1 is wanted")
refused({Nt = 0}, "Nt = 0: an integer of at least 1 is wanted")
refused({M = 8, Mt = 2}, "M = 8 and Mt = 2: one of them is wanted")
refused({algorithm = "strassen"},
        "algorithm = strassen: summa, summa-multicast, cannon, meshgemm, meshgemm-t, allgather or 2.5d is wanted")
refused({banks = 8}, "banks = 8: the bank in which C begins, an even number of 0 to 6, is wanted")
refused({banks = 3}, "banks = 3: the bank in which C begins")
refused({banks = -2}, "banks = -2: the bank in which C begins")
refused({banks = 2.5}, "banks = 2.5: the bank in which C begins")
refused({type = "i32"}, "type = i32: f16 or f32 is wanted")
refused({accumulate = "f64"}, "accumulate = f64: f16 or f32 is wanted")
refused({type = "f32", accumulate = "f16"},
        "accumulate = f16: products of type=f32 are added in f32")
refused({multiply = 3}, "multiply = 3: an integer of 0 to 2 is wanted")
refused({moves = -1}, "moves = -1: an integer of 0 to 2 is wanted")
refused({repeats = 0}, "repeats = 0: an integer of at least 1 is wanted")
refused({warmup = -1}, "warmup = -1: an integer of at least 0 is wanted")
refused({seed = -1}, "seed = -1: an integer of at least 0 is wanted")
refused({input = "ones"}, "input = ones: random, positive or integers is wanted")
refused({barrier = "repeat"}, "barrier = repeat: none or step is wanted")
refused({layers = 2}, "layers = 2: algorithm=2.5d has that choice")
refused({algorithm = "2.5d", layers = 0}, "layers = 0: an integer of at least 1 is wanted")
refused({algorithm = "2.5d", barrier = "step"}, "barrier = step: algorithm=2.5d has none")
refused({code = "paper"}, "code = paper: best or measured is wanted")
refused({tile = 3}, "a product has no option 'tile'")
refused({a = "no_such_file.npy"}, "a: cannot read 'no_such_file.npy'")

-- A tile that does not fit is refused with the plan; one that just fits runs.
local message = refused({P = 2, Mt = 100, Kt = 100, Nt = 100}, "bytes in a PE, which has 49152")
assert(message:find("tiles of A, 100 x 100, by columns", 1, true))
assert(message:find("instructions and descriptors", 1, true))
for _, algorithm in ipairs{"summa", "summa-multicast", "cannon", "meshgemm", "meshgemm-t",
                           "allgather", "2.5d"} do
  for _, code in ipairs{"best", "measured"} do
    local options = {algorithm = algorithm, P = 2, Mt = 1, Kt = 40, Nt = 8, code = code,
                     repeats = 2, check = false}
    while pcall(requests.make, options) do options.Mt = options.Mt + 1 end
    local most = options.Mt - 1
    options.Mt, options.shares = most, false
    local result, record = gemm.run(options)
    assert(record.ok and result.memory_bytes_per_pe <= 49152 and most >= 64)
  end
end

-- A file of another shape; the result of one that fits is a file, too.
gemm.run{P = 2, M = 3, K = 4, N = 5, shares = false, c = "gemm_c.npy"}
refused({P = 2, M = 5, K = 3, N = 4, a = "gemm_c.npy"}, "a: gemm_c.npy")
refused({P = 2, M = 2, K = 5, N = 3, b = "gemm_c.npy"}, "b: gemm_c.npy")
refused({P = 2, M = 3, K = 5, N = 3, a = "gemm_c.npy", type = "f32"}, "a: gemm_c.npy")
wse.write_text("gemm_text.npy", "1 2 3\n")
refused({P = 2, M = 3, K = 5, N = 3, b = "gemm_text.npy"}, "b: gemm_text.npy")
local square = gemm.run{P = 2, M = 3, K = 5, N = 3, a = "gemm_c.npy", shares = false}
assert(square.bound_share <= 1)
print("everything wrong is refused")
