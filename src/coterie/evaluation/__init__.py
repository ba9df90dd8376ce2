"""Risk and utility of a release by any tool: one registry of measures, one function over it."""

from coterie.evaluation.judge import evaluate
from coterie.evaluation.registry import Measure, measures
from coterie.evaluation.result import Evaluation, Score
from coterie.evaluation.riskiest import by_record

__all__ = ["Evaluation", "Measure", "Score", "by_record", "evaluate", "measures"]
