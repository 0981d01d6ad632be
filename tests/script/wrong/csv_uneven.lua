local wse = require "wse"
wse.write_text("out/uneven.csv", "P,cycles\n4,11\n8\n")
wse.read_csv("out/uneven.csv")
