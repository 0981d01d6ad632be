-- Starts the language server for .wsa files: `require("wsevm").setup{machine = "wse3"}` in init.lua,
-- with this file in a folder lua/ of the runtime path, beside what vim/ has. Neovim 0.8 or newer.
local M = {}

-- options: command (the executable), machine, values, include
function M.setup(options)
  options = options or {}
  vim.filetype.add({ extension = { wsa = "wsa" } })
  vim.api.nvim_create_autocmd("FileType", {
    pattern = "wsa",
    callback = function(event)
      vim.lsp.start({
        name = "wsevm",
        cmd = { options.command or "wsevm", "lsp" },
        root_dir = vim.fs.dirname(vim.api.nvim_buf_get_name(event.buf)),
        init_options = {
          machine = options.machine,
          values = options.values,
          include = options.include,
        },
      })
    end,
  })
end

return M
