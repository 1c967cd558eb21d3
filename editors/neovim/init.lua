-- For Neovim 0.11 or newer, with lsp/pallas_lsp.lua in a folder of the 'runtimepath', such as ~/.config/nvim.
vim.lsp.enable('pallas_lsp')

vim.api.nvim_create_autocmd('LspAttach', {
  callback = function(event)
    local client = assert(vim.lsp.get_client_by_id(event.data.client_id))
    if client.name ~= 'pallas_lsp' then
      return
    end
    vim.diagnostic.config({ virtual_text = true })
    if client:supports_method('textDocument/inlayHint') then
      vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
    end
    -- `gra` chooses among the quick fixes at the cursor; this applies all that need no look.
    vim.keymap.set('n', '<leader>pf', function()
      vim.lsp.buf.code_action({ context = { only = { 'source.fixAll.pallas-lsp' }, diagnostics = {} }, apply = true })
    end, { buffer = event.buf, desc = 'Fix all Pallas kernels' })
    -- Fix on save. The answer is waited for: what is written is the fixed text.
    vim.api.nvim_create_autocmd('BufWritePre', {
      buffer = event.buf,
      callback = function()
        local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
        params.context = { only = { 'source.fixAll.pallas-lsp' }, diagnostics = {} }
        local answer = client:request_sync('textDocument/codeAction', params, 2000, event.buf)
        for _, action in ipairs(answer and answer.result or {}) do
          local resolved = client:request_sync('codeAction/resolve', action, 2000, event.buf)
          local edit = action.edit or (resolved and resolved.result and resolved.result.edit)
          if edit then
            vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
          end
        end
      end,
    })
  end,
})
