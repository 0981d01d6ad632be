local reduction = require "collectives.lib.reduction"
for _,c in ipairs{{"chain",4,16,95},{"chain",512,1,3128},{"chain",512,256,3383},{"chain",512,4096,7223},{"two-phase",512,1,819,32},{"two-phase",512,256,1329,32},{"two-phase",512,8192,17201,32},{"tree",512,1,742},{"tree",512,64,1155},{"tree",512,512,4977},{"tree",512,8192,74097}} do
  local r = reduction.run{pattern=c[1],P=c[2],B=c[3],S=c[5],machine="wse2",code="measured"}
  local b = reduction.run{pattern=c[1],P=c[2],B=c[3],S=c[5],machine="wse2",code="best"}
  print(c[1],c[2],c[3],c[4],r.cycles,string.format("%.2f%%",100*((r.cycles+29)/c[4]-1)),r.max_abs_error,"best",b.cycles)
end
for _, m in ipairs{"wse2","wse3","model"} do
for _,p in ipairs{"star","chain","tree","two-phase","auto-gen"} do for _,P in ipairs{2,3,5,17,100,512} do for _,B in ipairs{1,7,64,512} do
 local t = {}
 for _,c in ipairs{"best","measured"} do t[c]=reduction.run{pattern=p,P=P,B=B,machine=m,code=c} end
 if t.best.cycles>t.measured.cycles then print(m,p,P,B,t.best.cycles,t.measured.cycles,t.best.controls) end
end end end
for _,p in ipairs{"xy-star","xy-chain","xy-tree","xy-two-phase","xy-auto-gen","snake"} do for _,g in ipairs{{5,3},{16,16},{33,20}} do for _,B in ipairs{1,7,64} do
 local t = {}
 for _,c in ipairs{"best","measured"} do t[c]=reduction.run{pattern=p,width=g[1],height=g[2],B=B,machine=m,code=c} end
 if t.best.cycles>t.measured.cycles then print(m,p,g[1],B,t.best.cycles,t.measured.cycles,t.best.controls) end
end end end
end
