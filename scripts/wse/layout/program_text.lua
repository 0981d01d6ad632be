-- Looks into program texts, for what the layout must know of them: names, parameters, words. It
-- does not judge them; that is the assembler's task.
local host = require "wse.host"
local ipairs, pairs = ipairs, pairs
local format, gmatch, gsub, match, find = string.format, string.gmatch, string.gsub, string.match,
                                          string.find
local sub, byte, concat = string.sub, string.byte, table.concat

local program_text = {}

-- Statements that are the layout's own, and how they are said to it.
local kRefused = {
  grid = "wse.layout(width, height)", hypercube = "wse.layout{hypercube = d}",
  colour = "w:colour(\"NAME\")", place = "w:place", route = "w:route", filter = "w:filter",
  stream = "w:stream",
}
local kTop = {const = true, param = true, entry = true, expect = true, ["end"] = true}

-- The text without its comments and strings; lines stay.
local function without_comments(text)
  local pieces, at = {}, 1
  while true do
    local from = find(text, "[;\"]", at)
    if not from then break end
    pieces[#pieces + 1] = sub(text, at, from - 1)
    local behind
    if byte(text, from) == 59 then
      behind = find(text, "\n", from, true) or #text + 1
    else
      behind = from + 1
      while behind <= #text and byte(text, behind) ~= 34 and byte(text, behind) ~= 10 do
        behind = behind + (byte(text, behind) == 92 and 2 or 1)
      end
      if byte(text, behind) == 34 then behind = behind + 1 end
      pieces[#pieces + 1] = " "
    end
    at = behind
  end
  pieces[#pieces + 1] = sub(text, at)
  return concat(pieces)
end

-- "rx: colour?, n: i32 = max(1, 2)" -> a list of {name =, type =, optional = flag, default = flag}
local function parameters_of(inside)
  local list = {}
  inside = gsub(inside, "%b()", "")
  inside = gsub(inside, "%b[]", "")
  for item in gmatch(inside, "[^,]+") do
    local name, kind, mark, rest = match(item, "^%s*([%a_][%w_]*)%s*:%s*([%a_][%w_]*)%s*(%??)(.*)$")
    if name then
      list[#list + 1] = {name = name, type = kind .. mark, optional = mark == "?",
                         default = find(rest, "=") ~= nil}
    end
  end
  return list
end

local function words_into(line, words)
  for word in gmatch(line, "[%a_][%w_]*") do words[word] = true end
end

local function program_of(rest, line_number, clean_lines)
  local text = rest
  local next_line = line_number
  while find(text, "^[%a_][%w_]*%s*%(") and not find(text, "^[%a_][%w_]*%s*%b()")
        and clean_lines[next_line + 1] do
    next_line = next_line + 1
    text = text .. " " .. clean_lines[next_line]
  end
  local name, header = match(text, "^([%a_][%w_]*)%s*(%b())")
  if not name then name = match(text, "^[%a_][%w_]*") end
  if not name then return nil end
  return {name = name, parameters = parameters_of(header and sub(header, 2, -2) or ""),
          words = {}, switched = {}}
end

local kOpens = {["if"] = true, ["for"] = true}

-- Returns {programs = list of {name, parameters, words = set, switched = set of what setroute names,
-- includes = flag, last = its last line}, macros = the same by name, includes = flag}.
function program_text.read(call, text)
  local found = {programs = {}, macros = {}, includes = false}
  local lines = {}
  for line in gmatch(without_comments(text) .. "\n", "([^\n]*)\n") do lines[#lines + 1] = line end
  local now
  local depth = 0 -- blocks that are open
  for number, line in ipairs(lines) do
    local directive, rest = match(line, "^%s*%.([%a_][%w_]*)%s*(.*)$")
    if kRefused[directive] then
      host.raise(format("%s: line %d of the text is a '.%s'; say it to the layout, with %s", call,
                        number, directive, kRefused[directive]))
    end
    if directive == "program" then
      now = program_of(rest, number, lines)
      found.programs[#found.programs + 1] = now
    elseif directive == "macro" then
      now = {words = {}, switched = {}}
      found.macros[match(rest, "^[%a_][%w_]*") or ""] = now
    elseif directive == "end" and depth > 0 then
      depth = depth - 1
    elseif kOpens[directive] then
      depth = depth + 1
    elseif kTop[directive] then
      now = nil
    elseif directive == "include" then
      if now then now.includes = true else found.includes = true end
    end
    if now then
      words_into(line, now.words)
      now.last = number
      for name in gmatch(line, "setroute%s+([%a_][%w_]*)") do now.switched[name] = true end
    end
  end
  return found
end

-- Adds to the program what the macros that it uses name, as deep as they go.
function program_text.with_macros(program, macros)
  local words, switched, todo = {}, {}, {program}
  local includes = program.includes
  local taken = {}
  while #todo > 0 do
    local item = todo[#todo]
    todo[#todo] = nil
    includes = includes or item.includes
    for name in pairs(item.switched) do switched[name] = true end
    for word in pairs(item.words) do
      words[word] = true
      if macros[word] and not taken[word] then
        taken[word] = true
        todo[#todo + 1] = macros[word]
      end
    end
  end
  return {words = words, switched = switched, includes = includes}
end

-- The place in the raw text where more parameters of the program can be written, and what goes before
-- and after them there: behind its name, or at the end of its list.
local function place_of_parameters(text, name)
  local _, name_end = find(text, "^[ \t]*%.program[ \t]+" .. name .. "%f[^%w_]")
  if not name_end then _, name_end = find(text, "\n[ \t]*%.program[ \t]+" .. name .. "%f[^%w_]") end
  local open = match(text, "^[ \t]*()%(", name_end + 1)
  if not open then return name_end, "(", ")" end
  local at, depth, filled = open, 0, false
  while at <= #text do
    local character = sub(text, at, at)
    if character == ";" then
      at = find(text, "\n", at, true) or #text
    elseif character == "(" then
      depth = depth + 1
    elseif character == ")" then
      depth = depth - 1
      if depth == 0 then return at - 1, filled and ", " or "", "" end
    elseif not find(character, "%s") then
      filled = true
    end
    at = at + 1
  end
  return name_end, "(", ")" -- no end of the list: the assembler says so
end

-- Returns the text with further parameters, "a: const = 0, b: colour?", of the program `name` in it.
function program_text.with_parameters(text, name, parameters)
  local at, before, after = place_of_parameters(text, name)
  return sub(text, 1, at) .. before .. parameters .. after .. sub(text, at + 1)
end

return program_text
