-- Neighbour exchange: all workers go through four states, receiving from the right, left, below,
-- above. A shift moves words in one of them, `exchange` in all.
local text = require "mach.kernels.text"
local types = require "mach.kernels.types"
local ipairs = ipairs

local shift = {}

-- States in their order: where from, who lacks that neighbour, who lacks the receiver.
shift.states = {
  {name = "west", dx = 1, dy = 0, no_sender = "no_east", no_receiver = "no_west"},
  {name = "east", dx = -1, dy = 0, no_sender = "no_west", no_receiver = "no_east"},
  {name = "north", dx = 0, dy = 1, no_sender = "no_south", no_receiver = "no_north"},
  {name = "south", dx = 0, dy = -1, no_sender = "no_north", no_receiver = "no_south"},
}

-- Ends the states first..last: a control wavelet in each turns the own router and the receiver's. A PE
-- without a sender in a state turns its own router of the colour on which it receives. All of them may
-- be sent at once: each waits until its router has come to its state.
function shift.turn(code, first, last, name)
  local missing = {}
  for k = first, last do missing[#missing + 1] = shift.states[k].no_sender end
  if #missing == 0 then return end
  local count, label = table.concat(missing, " + "), name .. "_turned_" .. last
  code:op("setdlen turn_out, %d", #missing)
  code:op("mov32 turn_out, control(31, ignore(adv))")
  code:op("beq   %s, 0, %s", count, label)
  code:op("setdlen turn_own, %s", count)
  code:op("mov32 turn_own, control(31, ignore(adv))")
  code:line("%s:", label)
end

-- Moves words in one state: r3 of them to the neighbour, r4 from the other one.
local function move(code, type)
  code:op("setdlen first, r3")
  code:op("setdlen neighbour_in, r4")
  code:op("%s neighbour_out, first async sending", type.instruction.mov)
  code:op("%s to, neighbour_in", type.instruction.mov)
  code:op("wait sending")
end

local function shift_kernel(type, number)
  local chosen = shift.states[number]
  local made = {name = "shift_" .. chosen.name .. "_" .. type.name, type = type, neighbours = true,
                arguments = {"d", "a", "length", "mask", "senders"}}
  function made.text(code)
    text.take(code, 5)
    text.base(code, "to", 0)
    text.base(code, "first", 1)
    text.length(code, 2, 3)
    code:op("mov32 r4, r1")
    text.length(code, 2, 4)
    code:op("mov32 r3, r1")
    shift.turn(code, 1, number - 1, made.name)
    move(code, type)
    shift.turn(code, number, #shift.states, made.name)
  end
  -- All words are sent before one is written: values are read from a copy.
  function made.apply(run, call)
    local moved = {}
    run:each(call, function(x, y, count)
      local from = run:at(call.a, x + chosen.dx, y + chosen.dy)
      moved[#moved + 1] = {run:at(call.d, x, y),
                           table.move(from.list, from.first + 1, from.first + count, 1, {})}
    end)
    for _, item in ipairs(moved) do
      table.move(item[2], 1, #item[2], item[1].first + 1, item[1].list)
    end
  end
  made.direction = chosen
  return made
end

-- Words from all four neighbours: d0 from the right, d1 left, d2 below, d3 above.
local function exchange_kernel(type)
  local made = {name = "exchange_" .. type.name, type = type, neighbours = true,
                arguments = {"a", "length", "d0", "d1", "d2", "d3"}}
  function made.text(code)
    text.take(code, 6)
    text.base(code, "first", 0)
    for k, state in ipairs(shift.states) do
      text.base(code, "to", k + 1)
      text.load(code, "r2", 1)
      code:op("sub32 r3, 1, %s", state.no_receiver)
      code:op("mul32 r3, r3, r2")
      code:op("sub32 r4, 1, %s", state.no_sender)
      code:op("mul32 r4, r4, r2")
      move(code, type)
      shift.turn(code, k, k, made.name)
    end
  end
  function made.apply(run, call)
    for k, state in ipairs(shift.states) do
      run:each({length = call.length}, function(x, y, count)
        local from = run:at(call.a, x + state.dx, y + state.dy)
        if not from then return end
        local to = run:at(call["d" .. k - 1], x, y)
        table.move(from.list, from.first + 1, from.first + count, to.first + 1, to.list)
      end)
    end
  end
  return made
end

function shift.kernels()
  local kernels = {}
  for _, name in ipairs(types.names) do
    for number = 1, #shift.states do
      kernels[#kernels + 1] = shift_kernel(types[name], number)
    end
    kernels[#kernels + 1] = exchange_kernel(types[name])
  end
  return kernels
end

return shift
