-- Errors of generated text name the lines that generate it: by .line, and by .lines of a text.
local wse = require "wse"
local host = require "wse.host"

local clean, marked = "", ""
local function add(statement, text)
  local file, line = host.user_line()
  local place = text and '.lines 1 "%s(%d)"\n' or '.line %d "%s"\n'
  marked = marked .. (text and place:format(file, line) or place:format(line, file)) .. statement
  clean = clean .. statement
end

local function generate()
  add(".grid 2, 1\n")
  add([[
.program p
  task main:
    mov33 r1, 2
]], true)
  add(".place p at (0, 3)\n")
end

generate()
wse.run{text = clean, marked_text = marked}
