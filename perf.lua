local reduction = require "collectives.lib.reduction"
local function t(o) local a=os.clock(); local l=reduction.layout(o); local b=os.clock(); local s=l:text(); local c=os.clock(); local _,n=s:gsub("\n","\n"); print(o.pattern,o.P,o.width,o.B, "plan",b-a,"text",c-b,"lines",n) end
t{pattern="chain",P=512,B=256}
t{pattern="star",P=512,B=256}
t{pattern="auto-gen",P=512,B=256}
t{pattern="auto-gen",P=512,B=1}
t{pattern="two-phase",P=512,B=256}
t{pattern="tree",P=512,B=256}
for _,p in ipairs{"chain","tree","two-phase","auto-gen","star"} do t{pattern="xy-"..p,width=512,height=512,B=16} end
t{pattern="snake",width=512,height=512,B=16}
local a=os.clock(); local r=reduction.run{pattern="chain",P=512,B=256,machine="wse2"}; print("run",os.clock()-a)
local a=os.clock(); local r=reduction.run{pattern="chain",P=512,B=8192,machine="wse2"}; print("run 8192",os.clock()-a)
local a=os.clock(); local r=reduction.run{pattern="xy-auto-gen",width=512,height=512,B=16,machine="wse2"}; print("run 512x512",os.clock()-a, r.cycles, r.model_cycles, r.max_abs_error)
