-- What the tests of the all-to-alls share: sizes, checked runs, the transfers of Table 2.
local alltoall = {}

-- Elements per node for d dimensions: fewer than cycles, as many, more, and no multiples of them.
function alltoall.sizes(d)
  local list, seen = {}, {}
  for _, m in ipairs{1, 2, d - 1, d, d + 1, 2 * d, 3 * d + 2, 17} do
    if m >= 1 and not seen[m] then list[#list + 1] = m end
    seen[m] = true
  end
  return list
end

alltoall.orders = {"binary", "gray"}

local function text_of(options)
  local parts = {}
  for name, value in pairs(options) do parts[#parts + 1] = name .. "=" .. tostring(value) end
  table.sort(parts)
  return table.concat(parts, " ")
end

alltoall.runs = 0

-- A run that must leave exactly what it should.
function alltoall.check(run, options)
  options.machine = options.machine or "cm200"
  local result, record, request = run(options)
  assert(result.max_abs_error == 0, text_of(options) .. ": error " .. result.max_abs_error)
  alltoall.runs = alltoall.runs + 1
  return result, record, request
end

local function ceil(a, b) return (a + b - 1) // b end

-- Table 2, with M words in all: of a block `words`.
local transfers = {
  ["one-cycle"] = function(words, d) return ceil(words, 2) * ((1 << d) - 1) end,
  ["d-cycles"] = function(words, d) return ceil(words, 2 * d) * ((1 << d) - 1) end,
  binomial = function(words, d) return ceil(words, 2 * d) * ((1 << d) - 1) end,
  ["node-at-a-time"] = function(words, d) return (ceil(words, 2 * d) + d) * (1 << d) end,
  ["send-and-spread"] = function(words, d) return 2 * ceil(words << d, 2 * d) + d end,
  ["reduce-and-spread"] = function(words, d) return ceil(words << d, 2 * d) * d end,
}

function alltoall.expect_transfers(result, words)
  local expected = transfers[result.algorithm](words, result.d)
  assert(result.transfers == expected,
         string.format("%s d=%d, %d words per node: %d transfers, not %d", result.algorithm,
                       result.d, words, result.transfers, expected))
end

return alltoall
