-- Table 2 of the paper: estimated transfers in sequence, for words per node (M = words 2^d in all).
-- Where the print contradicts itself, reduce-and-spread has the line of row-major order.
local table2 = {}

table2.algorithms = {"one-cycle", "d-cycles", "binomial", "node-at-a-time", "send-and-spread",
                     "reduce-and-spread", "transpose"}

local function ceil(a, b) return (a + b - 1) // b end

local formulas = {
  ["one-cycle"] = function(words, d) return ceil(words, 2) * ((1 << d) - 1) end,
  ["d-cycles"] = function(words, d) return ceil(words, 2 * d) * ((1 << d) - 1) end,
  binomial = function(words, d) return ceil(words, 2 * d) * ((1 << d) - 1) end,
  ["node-at-a-time"] = function(words, d) return (ceil(words, 2 * d) + d) * (1 << d) end,
  ["send-and-spread"] = function(words, d) return 2 * ceil(words << d, 2 * d) + d end,
  ["reduce-and-spread"] = function(words, d) return ceil(words << d, 2 * d) * d end,
  transpose = function(words) return ceil(words, 4) end,
}

function table2.transfers(algorithm, words, d) return formulas[algorithm](words, d) end

return table2
