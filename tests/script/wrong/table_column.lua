local wse = require "wse"
print(wse.table({{P = 4}}, {{name = "P", wide = true}}))
