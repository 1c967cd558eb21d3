-- Run by `nvim --clean --headless -l neovim.lua FILE`: with lsp/pallas_lsp.lua on the runtimepath, as a user has it.
-- Prints one line of JSON for each step; test_neovim.py says what they must be.
local file = arg[1]
local editors = vim.fs.dirname(vim.fs.dirname(vim.uv.fs_realpath(arg[0])))

local function report(step, value)
  print(vim.json.encode({ step = step, value = value }))
end

local function wait(what, condition)
  if not vim.wait(30000, condition, 20) then
    print('never came true: ' .. what)
    vim.cmd('cquit 1')
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n'
end

local function diagnostics(number)
  wait(number .. ' diagnostics', function()
    return #vim.diagnostic.get(0) == number
  end)
end

local function answer(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  for _, each in pairs(answers or {}) do
    return each.result
  end
end

if vim.fn.has('nvim-0.11') == 1 and not os.getenv('OLDER') then
  vim.opt.runtimepath:prepend(editors .. '/neovim')
  dofile(editors .. '/neovim/init.lua')
else
  dofile(editors .. '/neovim/older.lua')
end
vim.cmd('filetype on')
vim.cmd.edit(file)
vim.bo.filetype = 'python'
wait('attached', function()
  return #vim.lsp.get_clients({ bufnr = 0, name = 'pallas_lsp' }) == 1
end)
local client = vim.lsp.get_clients({ bufnr = 0 })[1]
report('root', client.config.root_dir)
diagnostics(2)
report(
  'diagnostics',
  vim.tbl_map(function(each)
    return { each.lnum, each.col, each.code, each.source }
  end, vim.diagnostic.get(0))
)

local first = vim.diagnostic.get(0)[1]
vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col })
local choices
vim.ui.select = function(items, _, choose)
  choices = vim.tbl_map(function(item)
    return item.action.title
  end, items)
  choose(items[1], 1)
end
vim.lsp.buf.code_action()
diagnostics(1)
report('quick fixes', choices)
report('after the quick fix', text())

vim.api.nvim_win_set_cursor(0, { 5, 6 })
local hover = answer('textDocument/hover', vim.lsp.util.make_position_params(0, client.offset_encoding))
report('hover', hover.contents.value)
vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
wait('inlay hints', function()
  return #vim.lsp.inlay_hint.get({ bufnr = 0 }) == 5
end)
report(
  'inlay hints',
  vim.tbl_map(function(each)
    return each.inlay_hint.label
  end, vim.lsp.inlay_hint.get({ bufnr = 0 }))
)

-- With init.lua, writing fixes what is left; else it is applied by hand.
if os.getenv('OLDER') then
  vim.lsp.buf.code_action({ context = { only = { 'source.fixAll.pallas-lsp' }, diagnostics = {} }, apply = true })
  diagnostics(0)
end
vim.cmd.write()
diagnostics(0)
report('after writing', text())
vim.cmd('qall!')
