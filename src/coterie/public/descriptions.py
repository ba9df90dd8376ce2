"""What stands under each name of a public document, in one sentence: for its JSON Schema.

The names are those of `coterie.public.names`; those of a deeper mapping follow that of the mapping
and a full stop, without the names that the table gives.
"""

from __future__ import annotations

__all__ = ["DESCRIPTIONS"]

_FIGURE = {
    "value": "The figure, as far as it may be known; null where it is only limited, or not told.",
    "step": "The step of the grid on which the value is told: the truth lies within half of it.",
    "below": "The figure is less than this.",
    "above": "The figure is more than this.",
    "reported": "False where nothing may be known of the figure.",
}

_EVIDENCE = {
    "format": "The version of this schema.",
    "claim": "What is proven of the release.",
    "truthful": "True where every released value of a key is true of all records of its group.",
    "recoded": "What was done to columns before they were grouped, in words, by column.",
    "k": "The least number of units that share every combination of released key values.",
    "keys": "The type of each key: of the columns that are grouped and released as centroids.",
    "strata": "Columns whose values no group crosses; they are part of the proof.",
    "unit": "The column that tells respondents apart; null where each record is one.",
    "unit_members": "Whether the records of a unit may be in different groups (any) or share one "
    "(together).",
    "confidential": "Columns that are released as they are and watched.",
    "constraints": "What every class must keep beyond k, one entry for each rule and column.",
    "constraints.rule": "The name of the rule: of the parameter that asks for it.",
    "constraints.column": "The column that the rule is about; null where it is about units.",
    "constraints.asked": "The threshold that was asked for.",
    "method": "The method that formed the groups.",
    "aggregation": "How a group's released values are computed.",
    "records_released": "Records in the release.",
    "groups": "Groups in the release.",
    "group_sizes": "How many groups there are of each size.",
    "records_dropped": "Records that were left out, as far as their number may be known.",
    "records_in_merged_strata": "Records in small strata that were released as one, as far as "
    "their number may be known.",
    "pooled_strata": "The strata behind each entry of the loss by key that stands for pooled ones.",
    "information_loss_percent": "The share of the keys' variation that the release has lost, in "
    "percent: a number, a limit in words, or null.",
    "information_loss_percent_by_key": "The same for each key.",
    "changed_percent_by_key": "The percentage of records whose category was changed, by key.",
    "measures": "Measures of risk and loss, by name, as far as they may be known.",
    "measures.distance_targets": "How the distance targets of p3m were met, by column.",
    "measures.distance_targets.targets_met": "The share of the records whose target is met.",
    "measures.distance_targets.feasible": "Whether all targets of the column can be met.",
    "rules": "Edit rules that every released record keeps, and what it took.",
    "rules.checked": "One entry for each rule.",
    "rules.checked.rule": "The rule as it was written.",
    "rules.checked.broken_in_original": "Records of the original that break it, as far as their "
    "number may be known.",
    "rules.checked.broken_in_release": "Records of the release that break it: none.",
    "rules.groups_moved_to_keep_them": "Groups whose values were moved to keep the rules.",
    "rules.groups_rounded_together": "Groups whose values were rounded together for the same end.",
    "rules.change_sd": "The root of the mean squared change of each key, in its standard "
    "deviations.",
    "previous": "What is guaranteed together with earlier releases of the same records.",
    "previous.releases": "The number of earlier releases that were taken into account.",
    "previous.k_together": "The least number of units that stay alike in all releases together.",
    "previous.records_new": "Records that no earlier release has, as far as may be known.",
    "previous.records_gone": "Records of earlier releases that this table does not have.",
    "previous.records_dropped": "Records left out to keep those of earlier releases safe.",
    "previous.classes_that_fewer_than_k_left": "Classes of earlier releases that fewer than k "
    "units have left, so that subtracting the releases tells of them.",
    "rounded_to": "The step of each figure above that is told as a number: the truth lies within "
    "half of it.",
    "versions": "The versions of coterie and of what decides its results.",
}

_REPORT = {
    "format": "The version of this schema.",
    "about": "What the report is of.",
    "kind": "For whom it is: for everybody.",
    "created": "The day on which it was made.",
    "version": "The version of coterie.",
    "standing": "Whether k-anonymity on all keys together is proven, or sets of keys are masked "
    "apart.",
    "verdict": "The most important of all that follows, in a sentence or two.",
    "claim": "What is claimed, and how it was established, in sentences.",
    "limits": "What the claim does not guarantee, each with a title and a text.",
    "remaining": "The risk that remains, one entry an attack: what it assumes and found.",
    "sizes": "Pairs: a size of classes, or a range of sizes, and how many classes have it.",
    "search": "The course of the search, which is not public: null.",
    "bound": "What is known of the least loss possible, which is not public: empty.",
    "figures": "The figures that the sentences are made from.",
    "figures.k": "The least number of units that was asked for.",
    "figures.achieved": "Units in the smallest class of the release, as counted on it.",
    "figures.records": "Records in the release.",
    "figures.classes": "Classes of records that are equal on all keys and strata.",
    "figures.keys": "Columns that were grouped and are released as centroids.",
    "figures.strata": "Columns whose values no group crosses.",
    "figures.unit": "The column that tells respondents apart; null where each record is one.",
    "figures.confidential": "Confidential columns that are no keys, released as they are.",
    "figures.others": "Columns without a role, released as they are.",
    "figures.sets": "Sets of keys that were grouped apart: 1 where all keys are grouped together.",
    "figures.fates": "What became of the columns: lists of names, by what was done to them.",
    "figures.loss": "The share of the keys' variation that is lost, in percent; null where words "
    "tell it.",
    "figures.loss_words": "The same as a limit in words; empty where it is a number.",
    "figures.loss_step": "The step of the grid on which the loss is told.",
    "figures.changed": "Keys with categories, each with the share of records whose category was "
    "changed.",
    "figures.pooled": "Strata that were pooled, each with the share that was lost by it.",
    "figures.dropped": "Records that were left out, as far as their number may be known.",
    "figures.read": "Records of the original, whose number is not public: null.",
    "figures.drawn": "Records that were drawn to be judged; null where all were.",
    "figures.too_large": "Measures that were not taken because the table is too large for them.",
    "figures.not_measured": "Why measures were not taken; empty where all were.",
    "figures.method": "The method that formed the groups.",
    "figures.aggregation": "How a group's released values are computed.",
    "figures.together": "The least number of units that stay alike in this release and earlier "
    "ones together; null where there are none.",
    "figures.truthful": "Whether each released value of a key is true of all records of its group.",
    "questions": "The three questions that data protection asks of an anonymized table, one entry "
    "for each.",
    "questions.name": "The name of the attack that answers it.",
    "questions.title": "The question in a word or two.",
    "questions.asks": "The question.",
    "questions.found": "The answer: the risk that the attack found, in words.",
    "questions.interval": "Its 95 % interval, which is not public: empty.",
    "questions.sentence": "What was tried, or why nothing was.",
    "measures": "Measures of risk and loss, one entry for each.",
    "measures.name": "The name of the measure.",
    "measures.title": "What it is called in a report.",
    "measures.kind": "Whether it measures risk, utility or how they are traded.",
    "measures.direction": "Which values are good.",
    "measures.reference": "The publication that defines it.",
    **{f"measures.{name}": text for name, text in _FIGURE.items()},
    "columns": "The keys before and after, one entry for each.",
    "columns.name": "The name of the key.",
    "columns.type": "What its values are.",
    "columns.kind": "What follows: the distribution of a number or of a category, or none.",
    "columns.why": "Why no distribution is shown.",
    "columns.missing": "Records without a value; null where that may not be known.",
    "columns.codes": "The codes that mean missing, each with its label and its records before and "
    "after.",
    "columns.scale": "The scale on which the bins are even: linear, log or date.",
    "columns.edges": "The ends of the bins.",
    "columns.labels": "The categories; those that are not told by name stand together, at last.",
    "columns.before": "Records of the original in each bin or category, each number as the middle "
    "of its cell.",
    "columns.after": "Records of the release in each bin or category.",
    "columns.cell": "How many numbers a cell of the original's counts holds.",
    "columns.mean": "The mean before and after; null where it may not be known.",
    "columns.mean_step": "The step of the grid on which the mean before is told.",
    "columns.sd": "The standard deviation before, which is not public (null), and after.",
    "columns.measures": "Measures of this key alone, by name.",
    **{f"columns.measures.{name}": text for name, text in _FIGURE.items()},
    "correlations": "The correlations of the keys that are numbers; null where there are too few.",
    "correlations.names": "The keys, in the order of rows and columns.",
    "correlations.before": "The matrix of the original; null where an entry may not be known.",
    "correlations.after": "The matrix of the release.",
    "correlations.steps": "The step of the grid on which each entry of the original is told.",
    "correlations.records": "Records that have a value of all of them.",
    "correlations.left_out": "How many keys that are numbers are not in the matrices.",
    "evidence": "The public evidence of the release, as the schema of evidence says.",
    **{f"evidence.{name}": text for name, text in _EVIDENCE.items()},
}

DESCRIPTIONS = {"evidence": _EVIDENCE, "report": _REPORT}
