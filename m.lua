local reduction = require "collectives.lib.reduction"
local n, bad, W = 0, 0, {}
local function try(o)
  local ok, r = pcall(reduction.run, o)
  n = n + 1
  local s = ""
  for _,k in ipairs{"pattern","P","width","height","B","machine","code","type","op","root"} do s = s..k.."="..tostring(o[k]).." " end
  if not ok then bad = bad + 1 if bad < 15 then print(s, r) end
  elseif r.max_abs_error ~= 0 then bad = bad + 1 print(s, "ERR", r.max_abs_error) end
  if ok and r.colours > ((o.pattern:match "tree" ) and 99 or o.P and 3 or 5) then print(s, "colours", r.colours) end
end
for _, m in ipairs{"model","wse2","wse3"} do
 for _, code in ipairs{"best","measured"} do
  for _, p in ipairs{"star","chain","tree","two-phase","auto-gen"} do
   for _, P in ipairs{1,2,3,5,17,100} do
    for _, root in ipairs{"first","middle","last"} do
     for _, B in ipairs{1,2,7} do
      try{pattern=p,P=P,B=B,machine=m,code=code,root=root,type="f32", op="add"}
     end end end
   for _, g in ipairs{{1,7},{7,1},{5,3},{16,16},{1,1}} do
    for _, root in ipairs{"first","middle","last"} do
      try{pattern="xy-"..p,width=g[1],height=g[2],B=3,machine=m,code=code,root=root,type="f32", op="add"}
    end end
  end
  for _, g in ipairs{{1,7},{7,1},{5,3},{16,16},{1,1},{4,2}} do
      try{pattern="snake",width=g[1],height=g[2],B=3,machine=m,code=code,type="f32", op="add"}
  end
 end end
print(n, bad)
