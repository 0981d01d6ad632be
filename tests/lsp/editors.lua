-- Neovim without a window: the server of scripts/editors/neovim shows a diagnostic and a hover, and
-- the syntax of scripts/editors/vim has the kinds of the scanner. Environment: WSEVM, ROOT, TOKENS
-- (the output of print_tokens), TYPO (a program with a mistake).
local failures = 0
local function expect(holds, what)
  if holds then return end
  failures = failures + 1
  io.stderr:write("wrong: " .. what .. "\n")
end

local root = vim.env.ROOT
vim.opt.runtimepath:append(root .. "/scripts/editors/vim")
package.path = root .. "/scripts/editors/neovim/?.lua;" .. package.path
vim.cmd("filetype plugin on")
vim.cmd("syntax on")
require("wsevm").setup({ command = vim.env.WSEVM })

vim.cmd("edit " .. vim.env.TYPO)
expect(vim.bo.filetype == "wsa", "the filetype is " .. vim.bo.filetype)
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end)
local found = vim.diagnostic.get(0)
expect(#found == 1, #found .. " diagnostics")
expect(found[1] and found[1].message:find("unknown instruction 'hault'", 1, true), "its message")
expect(found[1] and found[1].lnum == 3 and found[1].col == 4, "its place")
local place = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 2, character = 8 } }
local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", place, 20000) or {}
local _, answer = next(answers)
expect(answer and answer.result and answer.result.contents.value:find("task", 1, true), "the hover")

local groups = {
  comment = "wsaComment", pragma = "wsaPragma", string = "wsaString", float = "wsaFloat",
  integer = "wsaInteger", directive = "wsaDirective",
}
local of_names = {
  [""] = true, wsaHeader = true, wsaMnemonic = true, wsaFunction = true, wsaConstant = true,
  wsaPort = true, wsaType = true, wsaClause = true, wsaOption = true, wsaRegister = true,
}
local tokens, wrong = 0, 0
for row in io.lines(vim.env.TOKENS) do
  local line, column, kind = row:match("^(%d+) (%d+) %d+ (%a+)$")
  if not line then
    vim.cmd("noautocmd edit " .. row)
    vim.cmd("setlocal syntax=wsa synmaxcol=0")
  else
    local name = vim.fn.synIDattr(vim.fn.synID(tonumber(line), tonumber(column), 1), "name")
    local fits = kind == "punctuation" and name == "" or kind == "name" and of_names[name]
      or groups[kind] == name
    tokens = tokens + 1
    if not fits and wrong < 10 then
      wrong = wrong + 1
      expect(false, vim.fn.expand("%") .. ":" .. row .. " is " .. name)
    end
  end
end
expect(tokens > 10000, tokens .. " tokens")
vim.cmd(failures == 0 and "quitall!" or "cquit 1")
