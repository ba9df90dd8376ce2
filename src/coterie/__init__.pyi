from coterie import datasets as datasets
from coterie import distributed as distributed
from coterie.advice import Look as Look
from coterie.advice import look as look
from coterie.centroids.edits import RuleBroken as RuleBroken
from coterie.compilation.warming import Warmed as Warmed
from coterie.compilation.warming import warm as warm
from coterie.errors import CoterieError as CoterieError
from coterie.errors import DataError as DataError
from coterie.errors import MissingDependency as MissingDependency
from coterie.errors import NotMeasured as NotMeasured
from coterie.errors import ParameterError as ParameterError
from coterie.estimator import Microaggregation as Microaggregation
from coterie.evaluation import Evaluation as Evaluation
from coterie.evaluation import evaluate as evaluate
from coterie.evaluation.verified import verify as verify
from coterie.guarantees.constraints import Constraints as Constraints
from coterie.guarantees.diversity import Diversity as Diversity
from coterie.guarantees.dominance import Dominance as Dominance
from coterie.guarantees.proof import NotAdmissible as NotAdmissible
from coterie.guarantees.proof import NotKAnonymous as NotKAnonymous
from coterie.partitioning import Partition as Partition
from coterie.partitioning import methods as methods
from coterie.partitioning import partition as partition
from coterie.partitioning.driver import Progress as Progress
from coterie.partitioning.exact.bounding import LowerBound as LowerBound
from coterie.partitioning.exact.bounding import lower_bound as lower_bound
from coterie.pipeline import anonymize as anonymize
from coterie.pipeline.release import Release as Release
from coterie.plan import Plan as Plan
from coterie.report.dossier import write_dossier as write_dossier
from coterie.space import standardize as standardize
from coterie.tuning import Tuning as Tuning
from coterie.tuning import compare as compare
from coterie.tuning import tune as tune

__version__: str
__all__: list[str]
