-- The merge PE: what comes on args_dist leaves on args, what comes on ctrl_dist goes through a FIFO
-- and leaves on ctrl as control wavelets. The same for every program.
return [[
.program merge
  .u32 store[16]
  .fifo waiting = store
  .microthread arguments, filling, emptying
  .passive
  task main:
    mov32 fabout(ctrl, control, length=endless), waiting async emptying
    mov32 waiting, fabin(ctrl_dist, length=endless) async filling
    mov32 fabout(args, length=endless), fabin(args_dist, length=endless) async arguments
]]
