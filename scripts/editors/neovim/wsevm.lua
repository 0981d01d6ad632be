-- Starts the language server for .wsa files: `require("wsevm").setup{machine = "wse3"}` in init.lua,
-- with this file in a folder lua/ of the runtime path, beside what vim/ has. Neovim 0.7 or newer.
local M = {}

-- options: command (the executable), machine, values, include
function M.setup(options)
  options = options or {}
  vim.filetype.add({ extension = { wsa = "wsa" } })
  vim.api.nvim_create_autocmd("FileType", {
    pattern = "wsa",
    callback = function(event)
      local config = {
        name = "wsevm",
        cmd = { options.command or "wsevm", "lsp" },
        root_dir = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(event.buf), ":p:h"),
        init_options = {
          machine = options.machine,
          values = options.values,
          include = options.include,
        },
      }
      if vim.lsp.start then
        vim.lsp.start(config)
      else
        vim.lsp.buf_attach_client(event.buf, vim.lsp.start_client(config))  -- 0.7
      end
    end,
  })
end

return M
