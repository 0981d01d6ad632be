-- A chunk that passes for one of the library.
load("return 1", "=(wse: mine)")
