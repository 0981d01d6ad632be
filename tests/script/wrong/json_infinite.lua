local wse = require "wse"
print(wse.json({sizes = {1, 2, math.huge}}))
