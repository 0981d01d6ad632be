-- The parts that the studies share: the algorithms in their order, one product at a point, lines of pictures.
local gemm = require "gemm.gemm"
local study = require "support.study"

local algorithms = {names = {"summa", "summa-multicast", "cannon", "meshgemm", "meshgemm-t",
                          "allgather", "2.5d"}}

-- Sizes from `least` to `most`, each twice the one before.
function algorithms.doubled(least, most)
  local list = {}
  while least <= most do list[#list + 1], least = least, 2 * least end
  return list
end

-- Runs a product without what a study does not ask for.
function algorithms.run(options)
  local given = {shares = false, check = false}
  for name, value in pairs(options) do given[name] = value end
  return gemm.run(given)
end

-- One line for each algorithm: columns x and y of the rows that `is` takes.
function algorithms.lines(rows, x, y, is)
  local lines = {}
  for number, name in ipairs(algorithms.names) do
    local line = study.line(name, number, rows, x, y, function(row)
      return row.algorithm == name and (not is or is(row))
    end)
    if #line.x > 0 then lines[#lines + 1] = line end
  end
  return lines
end

-- Rows by algorithm of one point: {[algorithm] = row}
function algorithms.by_name(rows, is)
  local found = {}
  for _, row in ipairs(rows) do
    if is(row) then found[row.algorithm] = row end
  end
  return found
end

return algorithms
