-- Starts the language server for .wsa files: `require("wsevm").setup{machine = "wse3"}` in init.lua,
-- with this file in a folder lua/ of the runtime path, beside what vim/ has. Neovim 0.7 or newer.
local M = {}

-- Runs wsevm in a terminal below: the lens "run" of the server.
local function run(command, lens)
  vim.cmd("botright new")
  local arguments = { command }
  vim.list_extend(arguments, lens.arguments[1])
  vim.fn.termopen(arguments)
end

-- options: command (the executable), machine, values, include, profile
function M.setup(options)
  options = options or {}
  local command = options.command or "wsevm"
  vim.lsp.commands["wsevm.run"] = function(lens) run(command, lens) end
  vim.filetype.add({ extension = { wsa = "wsa" } })
  vim.api.nvim_create_autocmd("FileType", {
    pattern = "wsa",
    callback = function(event)
      local config = {
        name = "wsevm",
        cmd = { command, "lsp" },
        root_dir = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(event.buf), ":p:h"),
        init_options = {
          machine = options.machine,
          values = options.values,
          include = options.include,
          profile = options.profile,
          commands = { "wsevm.run" },
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
