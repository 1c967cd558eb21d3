---@brief
---
--- https://pallas-lsp.readthedocs.io
---
--- Finds and fixes mistakes in JAX Pallas kernels. Install it with `pip install pallas-lsp`.
---
---@type vim.lsp.Config
return {
  cmd = { 'pallas-lsp', 'server' },
  filetypes = { 'python' },
  root_markers = {
    { 'pallas-lsp.toml', '.pallas-lsp.toml', 'pyproject.toml' },
    { 'setup.py', 'setup.cfg', 'requirements.txt' },
    '.git',
  },
  -- Settings in kebab-case or camelCase: `settings = { ['pallas-lsp'] = { ignore = { 'PAL002' } } }`.
  settings = {},
}
