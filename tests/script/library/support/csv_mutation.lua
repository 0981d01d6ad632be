-- CSV files that somebody has damaged: a byte changed, put in or lost, a line lost or doubled, the
-- end cut off. wse.read_csv either says what is wrong and where, or gives rows of which at most what
-- was damaged differs; a sweep that resumes either refuses the file or has every row right.
local wse = require "wse"

local mutation = {}

local kFile <const> = "out/mutated.csv"

local seed
local function random(most)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return (seed >> 8) % most + 1
end

local bytes = {"", "\0", "\n", "\r", ",", '"', "=", "-", "0", "9", "e", "x", " ", "\xff", "\t"}

local function lines_of(text)
  local lines = {}
  for line in text:gmatch("[^\n]*\n") do lines[#lines + 1] = line end
  return lines
end

-- Each gives the text back damaged at one place.
local damage = {
  byte = function(text)
    local at = random(#text)
    return text:sub(1, at - 1) .. bytes[random(#bytes)] .. text:sub(at + 1)
  end,
  more = function(text)
    local at = random(#text)
    return text:sub(1, at) .. bytes[random(#bytes)] .. text:sub(at + 1)
  end,
  cut = function(text) return text:sub(1, random(#text) - 1) end,
  lost = function(text)
    local lines = lines_of(text)
    table.remove(lines, random(#lines))
    return table.concat(lines)
  end,
  twice = function(text)
    local lines = lines_of(text)
    table.insert(lines, random(#lines), lines[random(#lines)])
    return table.concat(lines)
  end,
}
local kinds = {"byte", "more", "cut", "lost", "twice"}

local function result_of(P, B) return {cycles = P * B + 7, share = P / 3, note = "P is " .. P} end

local function rows_of()
  local rows = {}
  for _, P in ipairs{4, 8, 16} do
    for _, B in ipairs{1, 256} do
      local row = result_of(P, B)
      row.P, row.B = P, B
      rows[#rows + 1] = row
    end
  end
  return rows
end

local columns <const> = {"B", "P", "cycles", "note", "share"}

-- Rows as texts; how many of `rows` are not among `others`.
local function strange(rows, others)
  local known, count = {}, 0
  for _, row in ipairs(others) do known[wse.csv({row}, columns)] = true end
  for _, row in ipairs(rows) do
    if not known[wse.csv({row}, columns)] then count = count + 1 end
  end
  return count
end

-- Rows under other titles are other rows.
local function titles_are_whole(text)
  return text:match("^(.-)\r?\n") == table.concat(columns, ",")
end

local function check_read(rows, text, told)
  local read, found = pcall(wse.read_csv, kFile)
  if not read then
    told[#told + 1] = found
    assert(found:find("wse.read_csv: " .. kFile, 1, true), found)
    return
  end
  assert(not titles_are_whole(text) or #found <= #rows + 1 and strange(found, rows) <= 1, text)
  local again = wse.csv(found)
  if #found == 0 then return end
  wse.write_text(kFile, again)
  assert(wse.csv(wse.read_csv(kFile)) == again, "what was read reads back otherwise")
end

-- Of a sweep: the rows that were lost are run again.
local function check_sweep(rows, text, told)
  wse.write_text(kFile, text)
  local resumed, found = pcall(wse.sweep, {
    over = {P = {4, 8, 16}, B = {1, 256}}, csv = kFile,
    run = function(p) return result_of(p.P, p.B) end,
  })
  if not resumed then
    told[#told + 1] = found
    assert(found:find(kFile, 1, true), found)
    return false
  end
  assert(#found == #rows)
  return strange(found, rows)
end

-- Returns how often each was told as wrong.
function mutation.run(first_seed, rounds)
  local rows, reads, sweeps, changed = rows_of(), {}, {}, 0
  local text = wse.csv(rows, columns)
  for round = 1, rounds do
    seed = first_seed + round
    random(7)
    local damaged = damage[kinds[round % #kinds + 1]](text)
    wse.write_text(kFile, damaged)
    check_read(rows, damaged, reads)
    local wrong = check_sweep(rows, damaged, sweeps)
    -- A number, a text or a title that became another one cannot be known.
    if wrong and titles_are_whole(damaged) then
      assert(wrong <= 1, damaged)
      changed = changed + wrong
    end
  end
  assert(#reads > rounds / 10 and #sweeps > rounds / 10, "few are told")
  assert(changed < rounds / 3, "many go through")
  return #reads, #sweeps, changed
end

return mutation
