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
--- expect
--- marked_program.lua:24: wse.run: the program has errors
--- marked_program.lua(24):6:5: error[E012]: unknown instruction 'mov33'
---     6 |     mov33 r1, 2
---       |     ^~~~~
---       = help: did you mean 'mov32'?
---       = note: from marked_program.lua(7):3
--- marked_program.lua(24):8:17: error[E091]: outside the grid: row 3; it is 1 high
---     8 | .place p at (0, 3)
---       |                 ^
---       = note: from marked_program.lua:7
