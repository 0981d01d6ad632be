-- A name that is mistyped.
local wse = require "wse"
wse.program("p", {}, function(b)
  b:table("steps", "frist")
  b:task("main")
  b:label "first"
end)
