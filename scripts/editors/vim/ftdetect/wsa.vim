autocmd BufRead,BufNewFile *.wsa setfiletype wsa
