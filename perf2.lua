local reduction = require "collectives.lib.reduction"
local input = require "collectives.lib.input"
local a=os.clock(); local r,rec=reduction.run{pattern="xy-auto-gen",width=256,height=256,B=16,machine="wse2"}; print("run 256x256",os.clock()-a, r.cycles, rec.wall_seconds)
local e = require("collectives.lib.elements").of("f32","add")
local n = input.make(256,256,1,e); a=os.clock(); n.expected(16); print("expected", os.clock()-a)
a=os.clock(); for y=0,255 do for x=0,255 do for i=0,15 do n.value(x,y,i) end end end print("value",os.clock()-a)
