local wse = require "wse"
wse.write_csv("out/never.csv", {{P = 4, cycles = {1, 2}}})
