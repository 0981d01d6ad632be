-- A chunk that passes for one of the library.
load("return 1", "=(wse: mine)")
--- expect
--- load_library_name.lua:2: load: names that begin with '=(wse' are those of the library
