-- The clock method (RED 8.3) in a program with the authors' code (published_code.lua): what it adds, and the
-- routes of its reference broadcast. Names begin with `clock_`. In each PE:
--
--   stamp 0                        its first instruction, in cycle 0: the skew of its counter
--   PE (0, 0) sends a word, which comes to PE (i, j), also to itself, i + j cycles after it came there
--   stamp 1                        the reference clock
--   clock_writes words are written to memory that nobody reads: the wait
--   stamp 2, the collective, stamp 3
--
-- The root listens while it sends, so that all PEs wait when the word comes.
-- Must never know what a cycle counter holds.
local clock_program = {}

local kData = [[
  .i32 clock_stamps[4] exported
  .i32 clock_sends exported
  .i32 clock_writes exported
  .i32 clock_word[1]
  .i32 clock_heard[1]
  .f32 clock_idle[clock_most]
  .reg clock_now
  .dsr clock_wait, clock_into, clock_from
  .microthread clock_sending
  task main:
]]

local kBefore = [[
    tsc clock_now
    mov32 clock_stamps[0], clock_now
    setd clock_into, clock_heard
    setd clock_from, fabin(clock_reference)
    mov32 clock_now, clock_sends
    beq clock_now, 0, clock_listen
    mov32 fabout(clock_reference), clock_word async clock_sending
  clock_listen:
    mov32 clock_into, clock_from
    tsc clock_now
    mov32 clock_stamps[1], clock_now
    mov32 clock_now, clock_writes
    setd clock_wait, clock_idle
    setdlen clock_wait, clock_now
    fmovs clock_wait, 1.0
]]

-- Cycles from the stamp of the reference to the start of the wait: what kBefore has between them.
function clock_program.before_wait(profile)
  local simple = profile.simple_cycles
  return profile.tsc_read_cycles + simple + profile.load_cycles + profile.descriptor_load_cycles +
         simple
end

local function stamp(number)
  return ("    tsc clock_now\n    mov32 clock_stamps[%d], clock_now\n"):format(number)
end

-- The text of a program with all that. A PE whose program marks no end samples after its last instruction.
function clock_program.around(text)
  text = text .. "\n"
  text = text:gsub("  task main:\n", function() return kData .. kBefore end, 1)
  text = text:gsub("    mark begin\n", function() return stamp(2) .. "    mark begin\n" end, 1)
  local ends
  text, ends = text:gsub("    mark end\n", function() return stamp(3) .. "    mark end\n" end, 1)
  if ends == 0 then text = text .. stamp(3) end
  return (text:gsub("\n$", ""))
end

-- The flood from PE (0, 0) along the first row and down all columns; it hears itself.
local function route_text(layout, x, y)
  local to = {"ramp"}
  if y == 0 and x < layout.width - 1 then to[#to + 1] = "east" end
  if y < layout.height - 1 then to[#to + 1] = "south" end
  local from = y > 0 and "north" or x > 0 and "west" or "ramp"
  return from .. " -> " .. table.concat(to, ", ")
end

-- Routes of the reference. A group of columns or rows is {first, last}.
function clock_program.route(layout, width, height)
  local reference = layout:colour "clock_reference"
  local size = {width = width, height = height}
  local function groups(count)
    local list = {{0, 0}}
    if count > 2 then list[#list + 1] = {1, count - 2} end
    if count > 1 then list[#list + 1] = {count - 1, count - 1} end
    return list
  end
  for _, xs in ipairs(groups(width)) do
    for _, ys in ipairs(groups(height)) do
      layout:route(reference, layout:rect(xs, ys), route_text(size, xs[1], ys[1]))
    end
  end
end

return clock_program
