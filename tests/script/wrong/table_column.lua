local wse = require "wse"
print(wse.table({{P = 4}}, {{name = "P", wide = true}}))
--- expect
--- table_column.lua:2: wse.table: column P: unknown field 'wide'; there are name, title, format
