-- What the scripts of the paper's figures share: sizes, worst cases, and the best of several.
-- Must never know a pattern.
local figures = {}

local function powers(first, last)
  local list = {}
  for k = first, last do list[#list + 1] = 1 << k end
  return list
end

figures.pes = powers(2, 9)     -- 4 to 512 in a row or on a side, as far as the paper goes
figures.words = powers(0, 13)  -- 4 bytes to 32 KB

-- 4, 64, 1 KB: a vector of B wavelets as the paper writes it.
function figures.bytes(B)
  local bytes = 4 * B
  return bytes < 1024 and tostring(bytes) or ("%d KB"):format(bytes // 1024)
end

-- f(P, B) for all sizes, P first.
function figures.each_size(f)
  for _, P in ipairs(figures.pes) do
    for _, B in ipairs(figures.words) do f(P, B) end
  end
end

-- The row whose column is largest, of the rows that `select` wants.
function figures.largest(rows, column, select)
  local largest
  for _, row in ipairs(rows) do
    if select(row) and (not largest or row[column] > largest[column]) then largest = row end
  end
  return largest
end

-- The name for which estimate(name).cycles is least, and the cycles; the first of equals.
function figures.best(names, estimate)
  local best, least
  for _, name in ipairs(names) do
    local cycles = estimate(name).cycles
    if not least or cycles < least then best, least = name, cycles end
  end
  return best, least
end

-- Which name is best where, as text: a letter and the speedup for each size; a row for each P, a
-- column for each B.
function figures.picture(rows, letters)
  local lines, names = {("%6s"):format("P  B:")}, {}
  for _, B in ipairs(figures.words) do lines[1] = lines[1] .. ("%6d"):format(B) end
  for k, row in ipairs(rows) do
    if (k - 1) % #figures.words == 0 then lines[#lines + 1] = ("%6d"):format(row.P) end
    lines[#lines] = lines[#lines] .. (" %s%4.1f"):format(letters[row.best], row.speedup)
  end
  for name, letter in pairs(letters) do names[#names + 1] = letter .. " " .. name end
  table.sort(names)
  lines[#lines + 1] = table.concat(names, ", ")
  return table.concat(lines, "\n")
end

return figures
