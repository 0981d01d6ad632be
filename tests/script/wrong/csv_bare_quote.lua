-- A quote in the middle of a cell that has none around it.
local wse = require "wse"
wse.argument("size")
wse.write_text("out/quote.csv", 'P,note\n4,fine\n8,3" pipe\n')
wse.read_csv("out/quote.csv")
--- expect
--- csv_bare_quote.lua:5: wse.read_csv: out/quote.csv: line 3: a quote in a cell without quotes
