local reduction = require "collectives.lib.reduction"
local wse = require "wse"
local o = {pattern = wse.argument("pattern","chain"), B = wse.argument("B", 8), machine=wse.argument("machine","model"), code=wse.argument("code","best"), root=wse.argument("root","first")}
o.P=wse.argument("P", 8)
local W = wse.argument("width",0)
if W>0 then o.P=nil o.width=W o.height=wse.argument("height",1) end
if wse.argument("text", false) then print(reduction.layout(o):text()) end
local r = reduction.run(o)
print(r.pattern, r.cycles, r.model_cycles, r.lower_bound_cycles, r.max_abs_error, r.colours, r.controls)
for _,k in ipairs{"terms","measured_terms"} do local s=k for a,b in pairs(r[k]) do s=s.." "..a.."="..b end print(s) end
