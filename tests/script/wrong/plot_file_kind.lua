-- No picture has that form.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}}, file = "out/cycles.gif"}
--- expect
--- plot_file_kind.lua:3: wse.plot: the file 'out/cycles.gif' will hold a picture; give it a name that ends with .svg, .png or .pdf
