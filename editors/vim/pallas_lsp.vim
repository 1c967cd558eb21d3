" Vim with ALE, in ~/.vim/after/plugin or in vimrc after ALE is loaded. :ALECodeAction offers the fixes.
call ale#linter#Define('python', {
\   'name': 'pallas_lsp',
\   'lsp': 'stdio',
\   'executable': 'pallas-lsp',
\   'command': '%e server',
\   'project_root': {buffer -> fnamemodify(bufname(buffer), ':p:h')},
\})
