"""Copy the artifacts of one dbt project, without what does not belong in a repository.

Usage: tidy_artifacts.py BUILD_FOLDER ARTIFACTS_FOLDER FILE...

Two things are changed, and nothing else:

* Paths below the build folder become relative to it. build.sh keeps dbt to
  relative paths, and all but one obey: log_path among the arguments of a run is
  always made absolute.
* The macros and documentation blocks that dbt and its adapter bring along are
  left out. They are more than half of a manifest, they are other people's
  source code, and Strata reads no macro. The project's own ones stay.
"""

import json
import pathlib
import sys

BUILT_IN_PACKAGES = {"dbt", "dbt_duckdb"}


def without_built_ins(entries: dict) -> dict:
    return {
        key: entry
        for key, entry in entries.items()
        if entry["package_name"] not in BUILT_IN_PACKAGES
    }


def tidy(text: str, build: str) -> str:
    artifact = json.loads(text.replace(build + "/", ""))
    for block in ("macros", "docs"):
        if block in artifact:
            artifact[block] = without_built_ins(artifact[block])
    return json.dumps(artifact) + "\n"


def main(build: str, destination: str, *files: str) -> None:
    folder = pathlib.Path(destination)
    folder.mkdir(parents=True, exist_ok=True)
    for file in map(pathlib.Path, files):
        tidied = tidy(file.read_text(encoding="utf-8"), build)
        if build in tidied:
            raise SystemExit(f"{file.name} still names the build folder")
        (folder / file.name).write_text(tidied, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
