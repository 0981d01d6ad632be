-- The common parts of the scripts of the paper's figures: sizes, pictures, and the best of several. Must
-- never know a pattern.
local wse = require "wse"

local figures = {}

local function powers(first, last)
  local list = {}
  for k = first, last do list[#list + 1] = 1 << k end
  return list
end

figures.pes = powers(2, 9)     -- 4 to 512 in a row or on a side, as far as the paper goes
figures.words = powers(0, 13)  -- 4 bytes to 32 KB

figures.words_label = "vector length; a word has 4 bytes"

-- 4 bytes to 32 KB as people write them.
local function bytes_text(words)
  local bytes = 4 * words
  return bytes < 1024 and bytes .. " B" or bytes // 1024 .. " KB"
end

-- Ticks of an axis of words (wse.plot).
figures.words_ticks = {}
for k, words in ipairs(figures.words) do figures.words_ticks[k] = {words, bytes_text(words)} end

local function texts_of(values, text_of)
  local texts = {}
  for k, value in ipairs(values) do texts[k] = text_of(value) end
  return texts
end

-- f(P, B) for all sizes, P first.
function figures.each_size(f)
  for _, P in ipairs(figures.pes) do
    for _, B in ipairs(figures.words) do f(P, B) end
  end
end

local function legend(letters)
  local names = {}
  for name, letter in pairs(letters) do names[#names + 1] = letter .. " " .. name end
  table.sort(names)
  return table.concat(names, ", ")
end

-- The rows whose column has this value.
function figures.where(rows, column, value)
  local found = {}
  for _, row in ipairs(rows) do
    if row[column] == value then found[#found + 1] = row end
  end
  return found
end

function figures.of_largest_row(rows)
  return figures.where(rows, "P", figures.pes[#figures.pes])
end

-- The row whose column is largest; the first of equals.
function figures.largest(rows, column)
  local largest = rows[1]
  for _, row in ipairs(rows) do
    if row[column] > largest[column] then largest = row end
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

-- A column of rows in the order of each_size() as a picture as wide as a column of a paper; with
-- `letters` the regions where each is best, by their names, else the numbers.
function figures.heat_map(rows, column, range, file, title, letters)
  local width, height = #figures.words, #figures.pes
  local function row(x, y) return rows[(y - 2) * width + x + 1] end
  local function value(x, y) return row(x, y)[column] end
  wse.heat_map{file = file, title = title, values = value, width = width, height = height, x0 = 0,
               y0 = 2, range = range, numbers = not letters, format = "%.1f", label = column,
               x_ticks = texts_of(figures.words, bytes_text),
               y_ticks = texts_of(figures.pes, tostring),
               regions = letters and function(x, y) return row(x, y).best end,
               x_label = "vector length", y_label = "P", size = 330}
end

-- Which name is best where, as text: a letter and the speedup for each size; a row for each P, a
-- column for each B.
function figures.picture(rows, letters)
  local lines = {("%6s"):format("P  B:")}
  for _, B in ipairs(figures.words) do lines[1] = lines[1] .. ("%6d"):format(B) end
  for k, row in ipairs(rows) do
    if (k - 1) % #figures.words == 0 then lines[#lines + 1] = ("%6d"):format(row.P) end
    lines[#lines] = lines[#lines] .. (" %s%4.1f"):format(letters[row.best], row.speedup)
  end
  lines[#lines + 1] = legend(letters)
  return table.concat(lines, "\n")
end

-- Finds the best of the patterns that have letters for all sizes, and its speedup over `chain`, by
-- estimate(pattern, P, B).cycles. Writes NAME.csv and NAME.svg into the folder `out`, and letters to stdout.
function figures.best_of(name, out, title, patterns, letters, chain, auto_gen, estimate)
  local rows = {}
  figures.each_size(function(P, B)
    local function of(pattern) return estimate(pattern, P, B) end
    local best, cycles = figures.best(patterns, of)
    local chained = of(chain).cycles
    rows[#rows + 1] = {P = P, B = B, best = best, cycles = cycles, chain = chained,
                       speedup = chained / cycles, auto_gen = of(auto_gen).cycles}
  end)
  local file = out .. "/" .. name
  wse.write_csv(file .. ".csv", rows, {"P", "B", "best", "cycles", "chain", "speedup", "auto_gen"})
  figures.heat_map(rows, "speedup", nil, file .. ".svg", title, letters)
  print(figures.picture(rows, letters))
end

return figures
