if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1
setlocal commentstring=;\ %s comments=:; iskeyword=@,48-57,_ expandtab shiftwidth=2
let b:undo_ftplugin = "setlocal commentstring< comments< iskeyword< expandtab< shiftwidth<"
