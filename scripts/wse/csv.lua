-- Comma-separated values (RFC 4180) from which each value is read again as it was: a number is
-- bare, a text that could be taken for something else is in quotes, nothing is nothing. For a
-- formula, too, spreadsheets take a text that begins with = + - or @.
local host = require "wse.host"
local columns_of = require "wse.columns"
local number_text = require "wse.number_text"
local type, tonumber, tostring = type, tonumber, tostring
local format, find, sub, gsub, byte = string.format, string.find, string.sub, string.gsub,
                                      string.byte
local concat = table.concat

local csv = {}

local words = {["true"] = true, ["false"] = false, inf = 1 / 0, ["-inf"] = -1 / 0, nan = 0 / 0}
local quote <const> = byte('"')
local comma <const> = byte(",")
local carriage_return <const> = byte("\r")
local newline <const> = byte("\n")

local function text_cell(text)
  local plain = text ~= "" and words[text] == nil and tonumber(text) == nil and
                not find(text, '[",%c]') and not find(text, "^[%s=+@-]") and not find(text, "%s$")
  if plain then return text end
  return '"' .. gsub(text, '"', '""') .. '"'
end

-- A value as it stands in a file; nothing if it has no place there.
function csv.cell(value)
  local kind = type(value)
  if kind == "string" then return text_cell(value) end
  if kind == "number" then return number_text(value) end
  if kind == "boolean" then return tostring(value) end
  if kind == "nil" then return "" end
  return nil
end

-- One line with its newline, of the fields with these names.
function csv.line(names, row)
  local cells = {}
  for c = 1, #names do cells[c] = csv.cell(row[names[c]]) end
  return concat(cells, ",") .. "\n"
end

-- The title row with its newline.
function csv.title(names)
  local cells = {}
  for c = 1, #names do cells[c] = csv.cell(names[c]) end
  return concat(cells, ",") .. "\n"
end

-- The whole text of wse.csv(rows, columns).
function csv.text(who, rows, columns)
  columns = columns_of(who, rows, columns)
  local names = {}
  for c = 1, #columns do names[c] = columns[c].name end
  local lines = {csv.title(names)}
  for k = 1, #rows do
    for c = 1, #names do
      local value = rows[k][names[c]]
      if csv.cell(value) == nil then
        host.raise(format("%s: row %d: %s: a number, a text or a flag is wanted, not a %s", who, k,
                          names[c], type(value)))
      end
    end
    lines[k + 1] = csv.line(names, rows[k])
  end
  return concat(lines)
end

local function bare_value(text)
  if text == "" then return nil end
  if words[text] ~= nil then return words[text] end
  local number = tonumber(text)
  if number ~= nil then return number end
  return text
end

-- The text in quotes that begins at `at`, and the place after it; nothing if it never ends.
local function quoted_text(text, at)
  local from = at + 1
  while true do
    local stop = find(text, '"', from, true)
    if not stop then return nil end
    if byte(text, stop + 1) ~= quote then
      return (gsub(sub(text, at + 1, stop - 1), '""', '"')), stop + 1
    end
    from = stop + 2
  end
end

-- Reads the line that begins at `at`: {n = cells, values...} and the place after its newline. Returns nil
-- and the reason ("cut" if the text ends in its middle) if it is not whole.
local function read_line(text, at)
  local line = {n = 0}
  while true do
    local value
    if byte(text, at) == quote then
      value, at = quoted_text(text, at)
      if value == nil then return nil, "cut" end
    else
      local stop = find(text, "[,\r\n]", at) or #text + 1
      local bare = sub(text, at, stop - 1)
      if find(bare, '"', 1, true) then return nil, "a quote in a cell without quotes" end
      value, at = bare_value(bare), stop
    end
    line.n = line.n + 1
    line[line.n] = value
    local ended_by = byte(text, at)
    if ended_by == nil then return line, nil end
    if ended_by == carriage_return and byte(text, at + 1) == newline then at = at + 1 end
    if ended_by == carriage_return or ended_by == newline then return line, at + 1 end
    if ended_by ~= comma then return nil, "there is more after the closing quote" end
    at = at + 1
  end
end

-- All lines of a text, the first being the titles. `cut`: the last one that has no newline, if it
-- can be read at all. A mistake raises an error that names `file` and the number of the line.
function csv.read(who, file, text)
  local lines, at = {}, 1
  while at <= #text do
    local line, behind = read_line(text, at)
    if line == nil and behind ~= "cut" then
      host.raise(format("%s: %s: line %d: %s", who, file, #lines + 1, behind))
    end
    if line == nil or behind == nil then return lines, true, line end
    lines[#lines + 1] = line
    at = behind
  end
  return lines, false
end

local function check_titles(who, file, titles)
  local seen = {}
  for c = 1, titles.n do
    local name = titles[c]
    if name == nil then host.raise(format("%s: %s: column %d has no title", who, file, c)) end
    if type(name) ~= "string" then titles[c] = csv.cell(name) end
    if seen[titles[c]] then
      host.raise(format("%s: %s: two columns have the title '%s'", who, file, titles[c]))
    end
    seen[titles[c]] = true
  end
end

-- The rows below the titles, as tables by name. Empty lines are skipped, except where a row has one cell.
function csv.rows(who, file, lines)
  local titles, rows = lines[1], {}
  check_titles(who, file, titles)
  for k = 2, #lines do
    local line = lines[k]
    local empty = line.n == 1 and line[1] == nil and titles.n > 1
    if not empty and line.n ~= titles.n then
      host.raise(format("%s: %s: line %d has %d cells; there are %d titles", who, file, k, line.n,
                        titles.n))
    end
    if not empty then
      local row = {}
      for c = 1, titles.n do row[titles[c]] = line[c] end
      rows[#rows + 1] = row
    end
  end
  return rows
end

local module = {internal = csv}

function module.csv(rows, columns) return csv.text("wse.csv", rows, columns) end

function module.write_csv(file, rows, columns)
  host.write_text(file, csv.text("wse.write_csv", rows, columns))
end

function module.read_csv(file)
  local lines, cut, last = csv.read("wse.read_csv", file, host.read_text(file))
  if cut and last == nil then
    host.raise(format("wse.read_csv: %s: line %d: a closing quote is missing", file, #lines + 1))
  end
  if cut then lines[#lines + 1] = last end
  if #lines == 0 then host.raise(format("wse.read_csv: %s: there is no title row", file)) end
  return csv.rows("wse.read_csv", file, lines)
end

return module
