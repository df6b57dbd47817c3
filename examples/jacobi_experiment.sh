#!/bin/sh
# The experiment of docs/signature.md: a Jacobi solver, once with broadcasts and once with a tree, recorded with
# 2 to 128 threads on one CPU, and the signatures of both. Takes some ten seconds, and 2 MB of recordings.
#
#     examples/jacobi_experiment.sh [BUILD [FOLDER [THREADS]]]
#
# BUILD: where parcast and the examples are built, default build/release. FOLDER: what is made, default
# jacobi-experiment, which must not exist. THREADS: a list, default 2,4,8,16,32,64,128.
set -eu

build=${1:-build/release}
folder=${2:-jacobi-experiment}
threads=${3:-2,4,8,16,32,64,128}
parcast=$build/bin/parcast

for needed in "$parcast" "$build/examples/jacobi"; do
    [ -x "$needed" ] || { echo "$0: $needed is not there. Build it with: ./dev build" >&2; exit 1; }
done
mkdir "$folder"
for exchange in naive tree; do
    "$parcast" scale --cpus "$threads" --no-bare-runs --keep "$folder/$exchange" -- \
        "$build/examples/jacobi" '{cpus}' "$exchange" > "$folder/$exchange.prediction.txt"
    "$parcast" report "$folder/$exchange" -o "$folder/$exchange.html"
    "$parcast" signature "$folder/$exchange" --plot "$folder/$exchange.svg" > "$folder/$exchange.txt"
done
"$parcast" signature "$folder/tree"
"$parcast" signature "$folder/naive" --compare "$folder/tree"
