"""The command *run*: the whole pipeline, and what the release page shows of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.app.child.desk import Desk, plan_of

__all__ = ["run"]


def run(desk: Desk, command: Mapping[str, Any]) -> dict[str, Any]:
    """Protect the table as the plan says and hold the release; its internal summary."""
    from coterie.pipeline.composition import protect
    from coterie.pipeline.preparation import prepare
    from coterie.pipeline.stages import Stages
    from coterie.report import summary

    source = desk.read(command["table"])
    desk.releases.clear()
    stages = Stages(desk.controls)
    release = protect(prepare(source, plan_of(command), stages), stages)
    reported = summary(release, "internal", desk.controls)
    reported["plan"] = release.plan.to_toml()
    reported["seconds"] = stages.seconds
    desk.releases[command["number"]] = release
    return reported
