-- Planted mistakes are noticed: a node that uses a dimension twice in a step traps, and a link that
-- carries more than its node counts is found in the record.
local broadcast = require "alltoall.broadcast"
local broadcast_cycles = require "alltoall.lib.broadcast_cycles"
local broadcast_ring = require "alltoall.lib.broadcast_ring"
local reduce = require "alltoall.reduce"
local reduce_ring = require "alltoall.lib.reduce_ring"

-- Runs with another text of a program; what was planted must have been.
local function planted(library, program, change, options, expected)
  local text_of = program.text
  program.text = function(...)
    local text = text_of(...)
    local changed = change(text)
    assert(changed ~= text, "nothing was planted")
    return changed
  end
  options.machine, options.max_cycles = "cm200", 100000
  local ok, message = pcall(library.run, options)
  program.text = text_of
  assert(not ok and message:find(expected, 1, true), tostring(message))
end

-- In the first kind of step, names with dimension `from` become those of dimension `to`.
local function over(from, to, names)
  return function(text)
    local before, step, after = text:match("^(.-)(task shift0:.-)(task shift1:.*)$")
    for _, name in ipairs(names) do
      local plain = name:format(from):gsub("%p", "%%%0")
      step = step:gsub(plain, (name:format(to)))
    end
    return before .. step .. after
  end
end

-- The machine notices two receivers of a channel, the program two messages that it counts for one.
planted(broadcast, broadcast_cycles, over(1, 0, {"over%d", "rx%d", "sent[%d]"}), {d = 2, m = 2},
        "two instructions receive from one colour")
planted(broadcast, broadcast_cycles, over(2, 0, {"sent[%d]"}), {d = 3, m = 3}, "trap assert")
planted(broadcast, broadcast_cycles, over(1, 0, {"to%d,", "fro%d,", "crossed[%d]"}),
        {d = 2, m = 2, topology = "mesh"}, "trap assert")

-- A second message on the same link.
local function again(send, more)
  return function(text) return (text:gsub(send, "%0\n    " .. more, 1)) end
end

planted(broadcast, broadcast_ring, again("mov32 out, from", "mov32 out, mine[0:1, :]"),
        {algorithm = "one-cycle", d = 2, m = 1}, "a link has carried more")
planted(broadcast, broadcast_ring, again("getdpos sent, from", "assert sent == 0"),
        {algorithm = "one-cycle", d = 2, m = 1}, "trap assert")
planted(reduce, reduce_ring, again("mov32 over, from", "mov32 over, v[0:1]"),
        {algorithm = "one-cycle", d = 2, m = 1}, "a link has carried more")
print("6 planted mistakes")
