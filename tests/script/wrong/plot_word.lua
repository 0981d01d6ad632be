-- A result that is a word.
local wse = require "wse"
wse.plot{rows = {{P = 4, cycles = 11}, {P = 8, cycles = "many"}}, x = "P", y = "cycles"}
--- expect
--- plot_word.lua:3: wse.plot: rows[2].cycles is 'many'; a number is wanted
