"""`interp completion`: a script for a shell, which completes verbs, options and files without running Python.

shtab makes it from the parser; argcomplete would start a Python process at every TAB.
"""

from __future__ import annotations

import argparse
from typing import Any

from interp.command.answer import FINE, Answer
from interp.command.options import verbs_of
from spec.errors import Unsupported

SHELLS = ("bash", "zsh", "fish")
FILES = {"FILE", "ARG", "NPY", "NAME=NPY", "OUT", "SAMPLE"}  # metavars of options that take files
FOLDERS = {"DIR"}
INSTALLING = """
To install:
  interp completion bash > ~/.local/share/bash-completion/completions/interp
  interp completion zsh > ~/.zfunc/_interp        (a folder of $fpath)
  interp completion fish > ~/.config/fish/completions/interp.fish
"""


def of_completion(new: argparse.ArgumentParser) -> None:
    new.add_argument("shell", choices=SHELLS, help="the shell that reads the script")


def completion(options: argparse.Namespace) -> Answer:
    try:
        import shtab
    except ImportError:
        raise Unsupported("shtab is not installed", "pip install 'stablehlo-interp[completion]'") from None
    top: Any = options.complete_parser()
    for verb in verbs_of(top).values():
        for action in verb._actions:
            if action.metavar in FILES | FOLDERS:
                action.complete = shtab.DIRECTORY if action.metavar in FOLDERS else shtab.FILE
    print(shtab.complete(top, options.shell), end="")
    return Answer(FINE)
