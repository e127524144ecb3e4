"""Verdicts: every rule that was checked, and every place where one is broken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping


@dataclass(frozen=True)
class Violation:
    """One broken rule at one place, with the reason in words."""

    rule: str
    place: Any
    why: str

    def __str__(self) -> str:
        return f"{self.rule} at {self.place}: {self.why}"


@dataclass(frozen=True)
class Report:
    """What a validation found."""

    rules: list[str]
    violations: list[Violation]
    #: Rules that broke more often than is listed.
    cut: list[str]

    @property
    def valid(self) -> bool:
        """True if no rule is broken."""
        return not self.violations

    def __bool__(self) -> bool:
        return self.valid

    @classmethod
    def _from(cls, fields: Mapping[str, Any]) -> Report:
        violations = [Violation(found["rule"], found["place"], found["why"]) for found in fields["violations"]]
        return cls(fields["rules"], violations, fields["cut"])
