-- barrier=step: nobody begins a step before all have ended the one before it. A word goes along each
-- row to its first PE, then along the first column, and one floods the grid.
local barrier = {}

local kParameters = {"row_in: colour", "row_out: colour", "column_in: colour", "column_out: colour",
                     "go: colour"}

local function wanted(request) return request.barrier == "step" and request.P > 1 end

-- Adds its colours to the parameters of a program.
function barrier.header(request, header)
  if not wanted(request) then return end
  for _, text in ipairs(kParameters) do header[#header + 1] = text end
end

-- One descriptor for all of its words: programs have few to spare.
function barrier.declare(code, request)
  if wanted(request) then code:line(".dsr word") end
end

local function receive(code, colour)
  code:op("setd word, fabin(%s)", colour)
  code:op("mov32 at, word")
end

local function send(code, colour)
  code:op("setd word, fabout(%s)", colour)
  code:op("mov32 word, 1")
end

-- At the end of a step.
function barrier.emit(code, request)
  if not wanted(request) then return end
  local last = request.P - 1
  code:op("beq x, %d, row_end", last)
  receive(code, "row_in")
  code:op("beq x, 0, first_column")
  code:line("row_end:")
  send(code, "row_out")
  code:op("jmp wait_to_go")
  code:line("first_column:")
  code:op("beq y, %d, column_end", last)
  receive(code, "column_in")
  code:op("bgt y, 0, column_end")
  send(code, "go")
  code:op("jmp go_on")
  code:line("column_end:")
  send(code, "column_out")
  code:line("wait_to_go:")
  receive(code, "go")
  code:line("go_on:")
end

-- Routes, and the values of the parameters. Neighbours use two colours in turn.
function barrier.add(layout, request, parameters)
  if not wanted(request) then return end
  local last, all = request.P - 1, {0, request.P - 1}
  local row, column = layout:colours("barrier_row", 2), layout:colours("barrier_column", 2)
  local go = layout:colour("barrier_go")
  for parity = 0, 1 do
    layout:route(row[parity + 1], layout:rect({parity + 1, last, 2}, all), "ramp -> west")
    layout:route(row[parity + 1], layout:rect({parity, last - 1, 2}, all), "east -> ramp")
    layout:route(column[parity + 1], layout:rect(0, {parity + 1, last, 2}), "ramp -> north")
    layout:route(column[parity + 1], layout:rect(0, {parity, last - 1, 2}), "south -> ramp")
  end
  layout:multicast(go, {0, 0}, layout:all())
  parameters.row_in = function(x) return row[x % 2 + 1] end
  parameters.row_out = function(x) return row[(x + 1) % 2 + 1] end
  parameters.column_in = function(_, y) return column[y % 2 + 1] end
  parameters.column_out = function(_, y) return column[(y + 1) % 2 + 1] end
  parameters.go = go
end

return barrier
