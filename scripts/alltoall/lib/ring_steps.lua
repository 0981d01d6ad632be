-- Parts of the task `shift`, a step along a Hamiltonian cycle, that broadcast and reduction share. The program has
-- registers step, sent, count and leaving, and the array `fullest`.
local ring_steps = {}

-- Ends a step: notes the words that were sent in it, and begins the next one, or `finish`.
function ring_steps.finish(code, request)
  code:op("mov32 fullest[step], sent")
  code:op("mov32 sent, 0")
  code:op("mark step")
  code:op("add32 step, step, 1")
  code:op("bge step, %d, finish", request.steps_run)
  code:op("activate shift")
  code:op("end")
end

-- Sends `leaving` words from `from` through `out`, waits until all of `count` have come, and ends the step. A PE
-- that sends a second time in a step ends the run.
function ring_steps.send_and_finish(code, request, out)
  code:op("assert sent == 0")
  code:op("mov32 sent, leaving")
  code:op("beq leaving, 0, nothing_leaves")
  code:op("setdlen from, leaving")
  code:op("mov32 %s, from", out)
  code:line("nothing_leaves:")
  code:op("beq count, 0, all_came")
  code:op("wait incoming")
  code:line("all_came:")
  ring_steps.finish(code, request)
end

return ring_steps
