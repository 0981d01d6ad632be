-- How one word of each worker of a column becomes one word at its reduction PE, and in which order.
-- Worker k is the k-th from the reduction PE, from 0 on. Pure.
--
--   drain   each sends its word all the way; the reduction PE takes them from k = 0 outwards
--   chain   each adds its word to what comes from k + 1, and sends the sum to k - 1
--   tree    in round s the workers whose lowest one is bit s send to k - 2^s, which add it
local column_order = {}

column_order.patterns = {"drain", "chain", "tree"}
column_order.name_of = {drain = true, chain = true, tree = true}

-- Rounds of a tree over `half` workers.
function column_order.rounds(half)
  local rounds = 0
  while 1 << rounds < half do rounds = rounds + 1 end
  return rounds
end

local folds = {}

function folds.drain(list, combine)
  local sum = list[1]
  for k = 2, #list do sum = combine(sum, list[k]) end
  return sum
end

function folds.chain(list, combine)
  local sum = list[#list]
  for k = #list - 1, 1, -1 do sum = combine(list[k], sum) end
  return sum
end

function folds.tree(list, combine)
  local sums = table.move(list, 1, #list, 1, {})
  for round = 0, column_order.rounds(#list) - 1 do
    for k = 0, #list - 1, 2 << round do
      local other = sums[k + (1 << round) + 1]
      if other ~= nil then sums[k + 1] = combine(sums[k + 1], other) end
    end
  end
  return sums[1]
end

-- The word of a column; list[k + 1] is that of worker k, combine(a, b) adds b to a.
function column_order.fold(pattern, list, combine) return folds[pattern](list, combine) end

return column_order
