-- When the executive asks for a section: its mark `asked` is before the instruction that sends the
-- number, whose descriptor it has held for long.
local request = {}

-- The cycle in which the number issues. Where vector instructions overlap, their start counts from the
-- load of a descriptor, so that a held one has none.
function request.cycle(marks, machine)
  local start = machine.vector_overlap == 1 and 0 or machine.vector_start_cycles
  return marks.asked.first + start
end

return request
