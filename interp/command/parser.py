"""The parser of the command line, which creates the options of the chosen verb only."""

from __future__ import annotations

import argparse
from typing import Any

from interp.command.answer import data_options
from interp.command.options import verbs_of
from interp.command.texts import EXAMPLES
from interp.command.verbs import VERBS, Verb


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        "interp",
        description="Runs StableHLO programs with quantized reductions, and shows what happens in them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    verbs: Any = top.add_subparsers(metavar=" | ".join(VERBS), required=True, parser_class=VerbParser)
    for name, verb in VERBS.items():
        new = verbs.add_parser(name, help=verb.help, verb=verb)
        new.set_defaults(verb=verb.do, verb_name=name, complete_parser=complete_parser)
    return top


def complete_parser() -> argparse.ArgumentParser:
    """Return the parser with the options of every verb."""
    top = parser()
    for verb in verbs_of(top).values():
        verb.complete()
    return top


class VerbParser(argparse.ArgumentParser):
    """Parser that creates its options when its verb is chosen; creating all takes as long as a small run."""

    def __init__(self, verb: Verb, **rest: Any) -> None:
        formatter = argparse.RawDescriptionHelpFormatter
        super().__init__(description=verb.help, epilog=verb.epilog, formatter_class=formatter, **rest)
        self.of_verb: Verb | None = verb
        self.in_parts = False

    def complete(self) -> None:
        """Create the options, once."""
        verb, self.of_verb = self.of_verb, None
        if verb:
            verb.options(self)
            if verb.has_data:
                data_options(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse options and files in any sequence, which argparse does in two parts."""
        self.complete()
        if self.in_parts:
            return super().parse_known_args(args, namespace)
        self.in_parts = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self.in_parts = False


class Version(argparse.Action):
    """Option that looks up the version only when it is used, since that takes time."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        import interp

        print(f"interp {interp.version()}")
        parser.exit()
