-- No picture has that form.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}}, file = "out/cycles.gif"}
