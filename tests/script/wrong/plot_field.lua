-- A field that there is not.
local wse = require "wse"
wse.plot{lines = {{x = {1, 2}, y = {1, 2}}}, xlabel = "P"}
--- expect
--- plot_field.lua:3: wse.plot: unknown field 'xlabel'; there are bars, errors, file, height, keys, legend, lines, log, notes, rows, series, styles, title, width, x, x_label, x_range, x_ticks, y, y_label, y_range, y_ticks
