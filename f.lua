local reduction = require "collectives.lib.reduction"
local flood = require "collectives.lib.flood"
local n,bad=0,0
local function chk(o,want,f)
 local ok,r=pcall(f,o) n=n+1
 local s="" for k,v in pairs(o) do s=s..k.."="..tostring(v).." " end
 if not ok then bad=bad+1 if bad<10 then print(s,r) end return end
 if r.max_abs_error~=0 or (want and r.cycles~=want) then bad=bad+1 if bad<20 then print(s,r.cycles,want,r.max_abs_error) end end
 return r
end
for _,m in ipairs{"model","wse2","wse3"} do for _,t in ipairs{"f32","f16","i32"} do for _,B in ipairs{1,2,7,64} do for _,P in ipairs{1,2,3,17,100} do
  local law = m=="model" and P>1 and B+P+4 or nil
  chk({pattern="flood",P=P,B=B,machine=m,type=t},law,flood.run)
  if P>1 then chk({pattern="message",P=P,B=B,machine=m,type=t},law,flood.run) end
  for _,root in ipairs{"middle","last"} do chk({pattern="flood",P=P,B=B,machine=m,type=t,root=root},root=="last" and law,flood.run) end
end
for _,root in ipairs{"first","middle","last","2,1"} do chk({pattern="flood",width=5,height=4,B=B,machine=m,type=t,root=root},m=="model" and root=="first" and B+8+4,flood.run) end
end end end
print(n,bad)
for _,m in ipairs{"model","wse2","wse3"} do for _,c in ipairs{"best","measured"} do for _,root in ipairs{"first","middle"} do for _,p in ipairs{"star","chain","tree","two-phase","auto-gen"} do
 local lo,hi=9,0
 for _,P in ipairs{1,2,3,17,64} do for _,B in ipairs{1,7,64} do
  local r = chk({pattern=p,P=P,B=B,machine=m,code=c,root=root,via="reduce-broadcast"},nil,reduction.run)
  if r and P>1 then local q=r.cycles/r.model_cycles lo,hi=math.min(lo,q),math.max(hi,q) if r.colours>3 and p~="tree" then print("colours",p,r.colours) end end
 end end
 for _,g in ipairs{{1,7},{7,1},{5,3},{16,16}} do
  local r = chk({pattern="xy-"..p,width=g[1],height=g[2],B=7,machine=m,code=c,root=root,via="reduce-broadcast"},nil,reduction.run)
  if r and r.colours>5 and p~="tree" then print("colours",p,g[1],g[2],r.colours) end
 end
 if m=="model" then print(p,root,c,lo,hi) end
end end end end
print(n,bad)
