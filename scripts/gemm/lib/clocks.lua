-- The loop over repeats, timed by marks and by the clock of each PE; and what a run says of both,
-- and of colours. One reading of the clock is inside of what it times, as on hardware.
local clocks = {}

-- `address`: where the plan has the two readings of the clock, if there is a plan.
function clocks.declare(code, address)
  code:line(".u32 clock[2] exported%s", address and " address=" .. address or "")
  code:line(".reg repeated, at")
end

local function stamp(code, number)
  code:op("tsc at")
  code:op("mov32 clock[%d], at", number)
end

-- Code before it runs once. Time begins after the repeats that warm up.
function clocks.begin(code, request)
  code:op("mov32 repeated, 0")
  code:line("begin_repeat:")
  if request.warmup + request.repeats > 1 then
    code:op("bne repeated, %d, begun", request.warmup)
  end
  code:op("mark begin")
  stamp(code, 0)
  code:line("begun:")
end

function clocks.finish(code, request)
  code:op("add32 repeated, repeated, 1")
  code:op("blt repeated, %d, begin_repeat", request.warmup + request.repeats)
  code:op("mark end")
  stamp(code, 1)
  code:op("halt")
end

-- Mean over PEs of end - begin by their own clocks, which wrap after 32 bits, per repeat.
function clocks.mean(request, record)
  local clock, sum = record:array("clock"), 0
  for k = 1, #clock, 2 do sum = sum + (clock[k + 1] - clock[k] & 0xFFFFFFFF) end
  return sum / (#clock // 2) / request.repeats
end

-- Colours of a layout that have a route: nothing travels on others.
function clocks.colours(layout)
  local names, count = {}, 0
  for name in layout:text():gmatch("%.route (%S+) at") do
    if not names[name] then names[name], count = true, count + 1 end
  end
  return count
end

return clocks
