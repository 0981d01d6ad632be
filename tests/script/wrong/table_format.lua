local wse = require "wse"
print(wse.table({{P = 4.5}}, {{name = "P", format = "%d"}}))
--- expect
--- table_format.lua:2: wse.table: column P: its format makes no text of 4.5: bad argument #2 to 'string.format' (number has no integer representation)
