local wse = require "wse"
print(wse.table({P = 4}))
print(wse.table({{P = 4}, 5}))
