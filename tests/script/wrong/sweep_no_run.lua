local wse = require "wse"
wse.sweep{over = {P = {4, 8}}}
