;;; pallas-lsp.el --- JAX Pallas kernels in eglot  -*- lexical-binding: t; -*-

;; For Emacs 29 or newer, or Emacs 28 with the package eglot. eglot has one server for a buffer: with this, it is
;; pallas-lsp. M-x eglot starts it, `eglot-code-actions' offers the fixes.

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((python-mode python-ts-mode) . ("pallas-lsp" "server"))))

(defun pallas-lsp-fix-all ()
  "Fix all in this buffer that can be fixed without a look."
  (interactive)
  (eglot-code-actions (point-min) (point-max) "source.fixAll.pallas-lsp" t))

;;; pallas-lsp.el ends here
