"""A program of a user, for `mypy --strict`; what is marked must be an error, or mypy complains."""

import coterie

release: coterie.Release = coterie.anonymize("patients.csv", k=5, quasi_identifiers=["age", "bmi"])
groups: coterie.Partition = coterie.partition([[1.0], [2.0], [8.0], [9.0]], k=2, method="mdav")
found = coterie.verify(release.data, 5, ["age", "bmi"])
loss: float = coterie.evaluate("patients.csv", release.data, aligned=True)["il"].value or 0.0
print(groups.information_loss + loss, found.achieved, coterie.lower_bound([[1.0], [2.0]], 2).value)

coterie.partitoin([[1.0], [2.0]], k=2)  # type: ignore[attr-defined]
coterie.partition([[1.0], [2.0]], k="two")  # type: ignore[arg-type]
wrong: str = groups.information_loss  # type: ignore[assignment]
