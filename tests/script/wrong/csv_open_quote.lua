local wse = require "wse"
wse.write_text("out/open_quote.csv", 'P,name\n4,"chain\n')
wse.read_csv("out/open_quote.csv")
--- expect
--- csv_open_quote.lua:3: wse.read_csv: out/open_quote.csv: line 2: a closing quote is missing
