#!/bin/sh
# Four parts at once by GNU parallel, on this machine or with --sshloginfile on several: parallel.sh SHELF OUT
# A part that fails for now (75) is tried again, and continues by its journal.
mkdir -p "$2" journals
exec parallel --jobs 4 --retries 3 --joblog jobs.log \
    'jisui {2}/ -o {3}/ --to cbz --recursive --shard {1}/4 --jobs 1 --journal journals/shard-{1}.jsonl --quiet;
     status=$?; [ $status = 75 ] && exit 75; exit 0' ::: 1 2 3 4 ::: "$1" ::: "$2"
