local wse = require "wse"
print(wse.table({{P = 4}, 5}))
--- expect
--- table_rows.lua:2: wse.table: row 2 is no table but a number
