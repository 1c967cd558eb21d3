-- For Neovim 0.8 to 0.10, in init.lua.
vim.api.nvim_create_autocmd('FileType', {
  pattern = 'python',
  callback = function(event)
    local markers = { 'pallas-lsp.toml', '.pallas-lsp.toml', 'pyproject.toml', 'setup.py', 'setup.cfg', '.git' }
    local found = vim.fs.find(markers, { upward = true, path = vim.fs.dirname(event.file) })[1]
    vim.lsp.start({
      name = 'pallas_lsp',
      cmd = { 'pallas-lsp', 'server' },
      root_dir = found and vim.fs.dirname(found) or vim.fs.dirname(event.file),
    })
  end,
})
