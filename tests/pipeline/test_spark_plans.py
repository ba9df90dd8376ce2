"""One plan, one release or one refusal, on Spark as in tiles.

By searches of full length: executors know nothing of what is patched in this process. In a file and
a session of its own, so that the tests that kill workers find them as young as they expect.
"""

from __future__ import annotations

import pytest

from tests.pipeline.outcomes import same_as_tiles
from tests.pipeline.plans import PLANS

TILE = 300  # records; each tile is a task, which costs Spark more than these records do

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", PLANS)
def test_spark_gives_the_same_for_every_plan(parts, in_tiles, tmp_path, session, name):
    same_as_tiles(parts, in_tiles, tmp_path, name, TILE, engine="spark", client=session)
