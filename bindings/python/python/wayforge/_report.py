"""Validation reports: the checked rules and every violation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping


@dataclass(frozen=True)
class Violation:
    """Violation of a rule at a place, with the reason."""

    rule: str
    place: Any
    why: str

    def __str__(self) -> str:
        return f"{self.rule} at {self.place}: {self.why}"


@dataclass(frozen=True)
class Report:
    """Result of a validation."""

    rules: list[str]
    violations: list[Violation]
    #: Rules with more violations than are listed.
    truncated: list[str]

    @property
    def valid(self) -> bool:
        """True if no rule is violated."""
        return not self.violations

    def __bool__(self) -> bool:
        return self.valid

    @classmethod
    def _from(cls, fields: Mapping[str, Any]) -> Report:
        violations = [Violation(item["rule"], item["place"], item["why"]) for item in fields["violations"]]
        return cls(fields["rules"], violations, fields["truncated"])
