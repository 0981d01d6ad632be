-- Every program of asm/LANGUAGE.md can be laid out: its statements said to a layout, each by the
-- method that it has there, give the same cycles and the same values as the text itself.
local wse = require "wse"

-- The blocks of programs of the page, with the line where each begins.
local function programs_of(page)
  local list, number, block = {}, 0, nil
  for line in page:gmatch "([^\n]*)\n" do
    number = number + 1
    if line == "```wsa" then block = {line = number, lines = {}}
    elseif line == "```" and block then
      list[#list + 1] = block
      block = nil
    elseif block then block.lines[#block.lines + 1] = line end
  end
  return list
end

-- Statements of the top level with what belongs to them: {word, the rest of the line, all lines}.
local kTop = {}
for word in ("const param grid hypercube colour entry program library place route filter stream "
             .. "expect macro"):gmatch "%S+" do
  kTop[word] = true
end

local function statements_of(lines)
  local list, depth = {}, 0
  for _, line in ipairs(lines) do
    local clean = line:gsub(";.*", "")
    local word, rest = clean:match "^%.(%l+)%s*(.-)%s*$"
    local begins = depth == 0 and (kTop[word] or word == "include" and not list[#list].holds)
    if begins then
      local holds = word == "program" or word == "library" or word == "macro"
      list[#list + 1] = {word = word, rest = rest, text = line, holds = holds}
    elseif clean:find "%S" then
      local last = list[#list]
      last.text, last.rest = last.text .. "\n" .. line, last.rest .. " " .. clean
    end
    for open in clean:gmatch "[%[%(]" do depth = depth + #open end
    for close in clean:gmatch "[%]%)]" do depth = depth - #close end
  end
  return list
end

-- The value of a constant expression of the language, which has Lua's operators but for `/`.
local function value(text, constants)
  return assert(load("return " .. text:gsub("/", "//"), text, "t", constants))()
end

local function range(text, constants)
  local bounds, step = text:match "^(.-)%s+step%s+(.+)$"
  local first, last = (bounds or text):match "^(.-)%.%.(.+)$"
  if not first then return value(text, constants) end
  return {value(first, constants), value(last, constants), step and value(step, constants) or 1}
end

-- " at (a..b, c): rest" -> a region, the rest
local function place_of(w, text, constants)
  local inside, rest = text:match "at%s*(%b())%s*:?%s*(.*)$"
  local x, y = inside:match "^%((.-),(.*)%)$"
  local function trimmed(part) return part:match "^%s*(.-)%s*$" end
  return w:rect(range(trimmed(x), constants), range(trimmed(y), constants)), rest
end

-- "a = 1, b = x ? 2 : 3" -> {a = "1", b = "x ? 2 : 3"}; no value of the page has a comma.
local function arguments_of(text)
  local list = {}
  for name, given in text:gsub("^with", ""):gmatch "([%w_]+)%s*=%s*([^,]+)" do
    list[name] = given:match "^(.-)%s*$"
  end
  return list
end

local say = {}

-- A further name of a colour is a colour of its own in a layout; with the other one's number, which
-- the page takes from 0 upward, it is the same channel.
function say.colour(w, rest, constants, colours)
  for item in rest:gmatch "[^,]+" do
    local name, given = item:match "^%s*([%w_]+)%s*=?%s*(.-)%s*$"
    local number = colours.numbers[given] or given ~= "" and value(given, constants) or nil
    if colours.named_again[name] then
      number = colours.count
      colours.numbers[name] = number
    end
    w:colour(name, {number = number})
    colours.count = colours.count + 1
  end
end

function say.const(w, rest, constants)
  local name, given = rest:match "^([%w_]+)%s*=%s*(.+)$"
  constants[name] = value(given, constants)
  w:const(name, given)
end

function say.place(w, rest, constants)
  local region, with = place_of(w, rest, constants)
  w:place(rest:match "^[%w_]+", region, arguments_of(with))
end

function say.route(w, rest, constants)
  local region, route = place_of(w, rest, constants)
  w:route(rest:match "^[%w_]+", region, route)
end

function say.filter(w, rest, constants)
  local region, filter = place_of(w, rest, constants)
  w:filter(rest:match "^[%w_]+", region, filter)
end

function say.stream(w, rest, constants)
  local region, way = place_of(w, rest, constants)
  local name, kind = rest:match "^([%w_]+)%s*:%s*([%w_%[%]]+)"
  w:stream(name, kind, region, way)
end

function say.expect(w, rest) w:expect(rest) end

local function layout_of(statements)
  local constants = {}
  local colours = {numbers = {}, named_again = {}, count = 0}
  local w
  -- The order of a layout: constants, the grid, colours, streams, then what names them.
  local function pass(wanted)
    for _, statement in ipairs(statements) do
      local word = statement.word
      if wanted[word] then
        if say[word] then say[word](w, statement.rest, constants, colours)
        elseif word == "program" then w:program(statement.text)
        else w:add(statement.text) end
      end
    end
  end
  for _, statement in ipairs(statements) do
    if statement.word == "const" then
      local name, given = statement.rest:match "^([%w_]+)%s*=%s*(.+)$"
      constants[name] = value(given, constants)
    elseif statement.word == "grid" then
      local width, height = statement.rest:match "^(.-),(.*)$"
      w = wse.layout(value(width, constants), value(height, constants))
    elseif statement.word == "hypercube" then
      w = wse.layout{hypercube = value(statement.rest, constants)}
    elseif statement.word == "colour" then
      for given in statement.rest:gmatch "=%s*(%a[%w_]*)" do colours.named_again[given] = true end
    end
  end
  pass{const = true}
  pass{colour = true}
  pass{stream = true}
  pass{param = true, entry = true, program = true, library = true, macro = true, include = true}
  pass{place = true, route = true, filter = true, expect = true}
  return w
end

local seen, count = {}, 0
for _, block in ipairs(programs_of(wse.read_text "asm/LANGUAGE.md")) do
  local text = table.concat(block.lines, "\n") .. "\n"
  local statements = statements_of(block.lines)
  for _, statement in ipairs(statements) do seen[statement.word] = true end
  local ok, message = pcall(function()
    local plain = wse.run{text = text, expect = true}
    local laid = layout_of(statements):run{expect = true}
    assert(plain.ok and laid.ok and laid.cycles == plain.cycles,
           laid.cycles .. " cycles, not " .. plain.cycles)
  end)
  assert(ok, "the program in line " .. block.line .. " of asm/LANGUAGE.md: " .. tostring(message))
  count = count + 1
end

-- The page has a program for each of these, so that nothing above is dead.
for word in pairs(kTop) do
  assert(seen[word] or word == "param", "no program of asm/LANGUAGE.md has a ." .. word)
end
assert(count >= 30, count .. " programs; where are the others?")
