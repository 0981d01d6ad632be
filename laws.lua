local reduction = require "collectives.lib.reduction"
local model = require "collectives.model"
local bad, n = 0, 0
local function exact(p, P, B, S)
  local o = {pattern=p,P=P,B=B,S=S,machine="model"}
  local r = reduction.run(o)
  local want = p=="two-phase" and model.exact.two_phase(P,B,S) or model.exact[p](P,B)
  n=n+1
  if r.cycles ~= want or r.max_abs_error ~= 0 then bad=bad+1 if bad<20 then print(p,P,B,S,r.cycles,want,r.max_abs_error) end end
end
for _,B in ipairs{1,2,7,64,1000,4096} do
  for _,P in ipairs{2,3,5,17,100,511,512} do
    if P*B<=131072 then exact("star",P,B) end
    exact("chain",P,B)
    if P&(P-1)==0 then exact("tree",P,B) end
  end
  for _,P in ipairs{4,8,64} do exact("tree",P,B) end
  for _,ps in ipairs{{4,2},{6,2},{6,3},{100,10},{100,4},{100,50},{100,2},{512,32},{512,16},{512,2},{512,256},{511,7},{511,73},{64,8}} do exact("two-phase",ps[1],B,ps[2]) end
end
print(n,bad)
local lo,hi=9,0
for _,P in ipairs{2,3,5,17,64,100,511,512} do for _,B in ipairs{1,2,7,64,256,1000,4096} do
  for _,p in ipairs{"auto-gen"} do
   local r = reduction.run{pattern=p,P=P,B=B,machine="model"}
   local q = r.cycles/r.model_cycles
   lo,hi=math.min(lo,q),math.max(hi,q)
   if q<0.8 or q>1.2 or r.max_abs_error~=0 then print(p,P,B,r.cycles,r.model_cycles,q,r.controls,r.colours, r.max_abs_error, r.measured_terms.D) end
  end
end end
print("auto-gen",lo,hi)
for _,p in ipairs{"xy-chain","xy-tree","xy-two-phase","xy-auto-gen","snake","xy-star"} do
 local lo,hi=9,0
 for _,g in ipairs{{1,7},{7,1},{5,3},{16,16},{33,20},{64,64},{3,5},{2,2},{8,8}} do for _,B in ipairs{1,2,7,64,256} do
  if p~="xy-star" or B<=16 then
   local r = reduction.run{pattern=p,width=g[1],height=g[2],B=B,machine="model"}
   local q = r.cycles/r.model_cycles
   lo,hi=math.min(lo,q),math.max(hi,q)
   if q<0.8 or q>1.2 or r.max_abs_error~=0 then print(p,g[1],g[2],B,r.cycles,r.model_cycles,q,r.controls,r.colours, r.max_abs_error) end
 end end end
 print(p,lo,hi)
end
