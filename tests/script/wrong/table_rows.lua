local wse = require "wse"
print(wse.table({{P = 4}, 5}))
