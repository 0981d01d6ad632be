-- The instructions of a builder, made from wse.isa(): for each mnemonic and number of operands what
-- may be in each place. Must never know an instruction by name that the table has.
local host = require "wse.host"
local objects = require "wse.builder.objects"
local operands = require "wse.builder.operands"
local ipairs, pairs, format, concat = ipairs, pairs, string.format, table.concat
local type, tostring = type, tostring

local instructions = {}

local kExtra = {
  {mnemonic = "map", operands = "DNA", meaning = "D = N(A) for each element"},
  {mnemonic = "map", operands = "DNAA", meaning = "D = N(A, B) for each element"},
  {mnemonic = "map", operands = "DNAAA", meaning = "D = N(A, B, C) for each element"},
  {mnemonic = "call", operands = "L", meaning = "to the function L"},
  {mnemonic = "call", operands = "dNa", meaning = "d = N(a)"},
  {mnemonic = "call", operands = "dNaa", meaning = "d = N(a, b)"},
}

local function join(place, letter)
  local from = operands.letters[letter]
  for kind in pairs(from[1]) do place.kinds[kind] = true end
  place.wanted, place.letter = from[2], letter
end

-- Rows of one mnemonic and as many operands allow together what each of them allows.
local function add(table_, row)
  local entry = table_[row.mnemonic] or {forms = {}, vector = false}
  table_[row.mnemonic] = entry
  local letters = row.operands
  local form = entry.forms[#letters] or {meaning = row.meaning}
  entry.forms[#letters] = form
  for k = 1, #letters do
    form[k] = form[k] or {kinds = {}}
    join(form[k], letters:sub(k, k))
  end
  if row.vector then entry.vector, form.vector = true, true end
end

local function read_table()
  local found = {}
  for _, row in ipairs(host.isa().instructions) do add(found, row) end
  for _, row in ipairs(kExtra) do add(found, row) end
  return found
end

-- mnemonic = {forms = {[number of operands] = form}, vector}; read when the first program is built.
function instructions.all()
  instructions.known = instructions.known or read_table()
  return instructions.known
end

local function counts_of(entry)
  local texts = {}
  for count = 0, 8 do
    local form = entry.forms[count]
    if form then
      texts[#texts + 1] = format("%s (%s)", count == 0 and "none" or count, form.meaning)
    end
  end
  return objects.listed(texts)
end

-- The form for as many operands as are given.
local function form_for(mnemonic, entry, count)
  local form = entry.forms[count]
  if form == nil then
    host.raise(format("b.%s: %d operands are given; it takes %s", mnemonic, count,
                      counts_of(entry)))
  end
  return form
end

local function check_place(mnemonic, k, place, kind, text)
  if not place.kinds[kind] then
    host.raise(format("b.%s: operand %d is %s; wanted: %s", mnemonic, k,
                      objects.described(kind, text), place.wanted))
  end
end

local function check_async(mnemonic, form, kinds)
  if not form.vector then
    host.raise(format("b.%s: it cannot run on a microthread; async goes with vector instructions",
                      mnemonic))
  end
  for _, kind in ipairs(kinds) do
    if operands.fabric[kind] then return end
  end
  host.raise(format("b.%s: no operand is fabin or fabout; there is nothing for async to wait for",
                    mnemonic))
end

-- Returns the text of what follows the operands of map, {index = k}; nothing if `value` is an operand.
function instructions.index(program, mnemonic, value)
  if mnemonic ~= "map" or type(value) ~= "table" or objects.info(value) then return nil end
  for name in pairs(value) do
    if name ~= "index" then
      host.raise(format("b.map: unknown option '%s'; there is index", tostring(name)))
    end
  end
  local kind, text = operands.classify(program, "b.map: index", value.index)
  if kind ~= "register" and kind ~= "text" then
    host.raise(format("b.map: index is %s; a register is wanted", objects.described(kind, text)))
  end
  return ", index=" .. text
end

-- The text of the operands of `mnemonic`; `given` has `count` of them, `async` is nil or an object.
function instructions.text(program, mnemonic, given, count, async)
  local entry = instructions.all()[mnemonic]
  local form = form_for(mnemonic, entry, count)
  local texts, kinds = {}, {}
  for k = 1, count do
    local what = format("b.%s: operand %d", mnemonic, k)
    local kind, text = operands.classify(program, what, given[k])
    check_place(mnemonic, k, form[k], kind, text)
    operands.refer(program, "b." .. mnemonic, form[k].letter, text, mnemonic)
    texts[k], kinds[k] = text, kind
  end
  if async then
    check_async(mnemonic, form, kinds)
    return concat(texts, ", ") .. " " .. objects.info(async).text
  end
  return concat(texts, ", ")
end

return instructions
