-- barrier=step: nobody begins a step before all have ended the one before it. Words go along each row
-- to its middle, then along the middle column to its middle, and one floods the grid from there. So
-- the two ends of a line are let go at the same time; else the way between them would not be seen.
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

-- One line, x or y: those who are not its middle send what they have heard, and wait. `hub`: whether
-- the PE is the middle, if the program knows.
local function gather(code, request, coordinate, line, hub)
  local middle, last = request.P // 2, request.P - 1
  if hub == nil then code:op("beq %s, %d, %s_middle", coordinate, middle, line) end
  if hub ~= true then
    code:op("beq %s, 0, %s_end", coordinate, line)
    code:op("beq %s, %d, %s_end", coordinate, last, line)
    receive(code, line .. "_in")
    code:line("%s_end:", line)
    send(code, line .. "_out")
    code:op("jmp wait_to_go")
  end
  if hub == false then return end
  code:line("%s_middle:", line)
  receive(code, line .. "_in")
  if middle < last then receive(code, line .. "_out") end
end

-- At the end of a step. hubs: {x =, y = whether the PE is the middle of its row and column}, for
-- programs that know it.
function barrier.emit(code, request, hubs)
  if not wanted(request) then return end
  hubs = hubs or {}
  gather(code, request, "x", "row", hubs.x)
  if hubs.x ~= false then gather(code, request, "y", "column", hubs.y) end
  if hubs.x ~= false and hubs.y ~= false then send(code, "go") end
  if hubs.x and hubs.y then return end  -- nobody else lets it go
  if hubs.x ~= false and hubs.y ~= false then code:op("jmp go_on") end
  code:line("wait_to_go:")
  receive(code, "go")
  code:line("go_on:")
end

-- Number 1 or 2: the colour that PE p hears from the end of its side. It sends on the other one, and
-- the middle hears the side behind it on that.
local function heard_on(p, middle) return (p > middle and p + 1 or p) % 2 + 1 end

-- Routes of a line: `lines` are those on which words go to the middle.
local function add_line(layout, request, colours, axis, lines)
  local middle, last = request.P // 2, request.P - 1
  local sides = axis == "x" and {"west", "east"} or {"north", "south"}
  for p = 0, last do
    local region = axis == "x" and layout:rect(p, lines) or layout:rect(lines, p)
    local ahead, back = sides[p < middle and 2 or 1], sides[p <= middle and 1 or 2]
    local heard = heard_on(p, middle)
    if p ~= middle then layout:route(colours[3 - heard], region, "ramp -> " .. ahead) end
    if p > 0 and p < last or p == middle then
      layout:route(colours[heard], region, back .. " -> ramp")
    end
    if p == middle and p < last then
      layout:route(colours[3 - heard], region, sides[2] .. " -> ramp")
    end
  end
end

-- Routes, and the values of the parameters.
function barrier.add(layout, request, parameters)
  if not wanted(request) then return end
  local last, middle = request.P - 1, request.P // 2
  local row, column = layout:colours("barrier_row", 2), layout:colours("barrier_column", 2)
  local go = layout:colour("barrier_go")
  add_line(layout, request, row, "x", {0, last})
  add_line(layout, request, column, "y", middle)
  layout:multicast(go, {middle, middle}, layout:all() - layout:pe(middle, middle))
  parameters.row_in = function(x) return row[heard_on(x, middle)] end
  parameters.row_out = function(x) return row[3 - heard_on(x, middle)] end
  parameters.column_in = function(_, y) return column[heard_on(y, middle)] end
  parameters.column_out = function(_, y) return column[3 - heard_on(y, middle)] end
  parameters.go = go
end

return barrier
