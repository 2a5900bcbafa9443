#!/usr/bin/env bash
# Build the demo estate from nothing and renew the artifacts that are committed
# under shop/artifacts and finance/artifacts. Needs Python 3.11 or later with
# its venv module, and an index to install packages from.
set -euo pipefail

examples="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)"
venv="$(dirname "$examples")/.cache/examples/venv"
stamp="$venv/requirements.txt"

# Nothing about this machine leaves it, and nothing of it enters the artifacts.
export DBT_SEND_ANONYMOUS_USAGE_STATS=false DBT_VERSION_CHECK=false DBT_USE_COLORS=false
export DBT_PROJECT_DIR=. DBT_PROFILES_DIR=. DBT_LOG_PATH=logs

install_dbt() {
    if cmp -s "$examples/requirements.txt" "$stamp"; then return; fi
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$examples/requirements.txt"
    cp "$examples/requirements.txt" "$stamp"
}

# dbt exits 1 when a test fails, which some do on purpose, and 2 when it could not do its work.
dbt_tolerating_failed_tests() {
    local status=0
    dbt "$@" || status=$?
    if ((status > 1)); then return "$status"; fi
}

build_project() {
    local project="$1"
    cp -R "$examples/$project" "$build/"
    rm -rf "$build/$project/artifacts"
    cd "$build/$project"
    if [[ -f raw/load.sql ]]; then
        python "$examples/load_raw.py" ../warehouse/shop.duckdb raw/load.sql
    fi

    # A first pass without tests makes every relation, as a run before the rows went bad would
    # have: a failing test makes dbt skip what is below it, and the catalog should know it still.
    dbt --quiet build --exclude-resource-type test
    dbt_tolerating_failed_tests --quiet build --no-partial-parse

    # Manifest and results are taken from that one run, so that their invocation ids agree;
    # `dbt docs generate` writes both anew.
    mkdir kept
    cp target/manifest.json target/run_results.json kept/
    dbt --quiet docs generate
    cp target/catalog.json kept/
    python "$examples/tidy_artifacts.py" "$build" "$examples/$project/artifacts" kept/*.json
}

install_dbt
PATH="$venv/bin:$PATH"

build="$(cd "$(mktemp -d)" && pwd -P)"
trap 'rm -rf "$build"' EXIT
mkdir "$build/warehouse"

(build_project shop)
(build_project finance) # reads the shop's marts, hence second

if grep -rlE '/(tmp|home|root|work|Users|var)/' "$examples"/{shop,finance}/artifacts; then
    echo "the artifacts above hold paths of this machine" >&2
    exit 1
fi
