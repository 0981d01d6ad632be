-- A field that is near to none.
local wse = require "wse"
wse.argument("size")
wse.run{text = ".grid 1, 1", colour = "red"}
--- expect
--- far_field.lua:4: wse.run: unknown field 'colour'; there are text, marked_text, file, values, inputs, restore, machine, max_cycles, tsc_skew, jitter, strict, expect, interval, profile, path, mark_times, warnings, allow_failure
