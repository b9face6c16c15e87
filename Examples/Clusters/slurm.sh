#!/bin/bash
# A Slurm array of 16 parts: sbatch slurm.sh SHELF OUT
#SBATCH --job-name=jisui
#SBATCH --array=1-16
#SBATCH --cpus-per-task=2
#SBATCH --requeue
#SBATCH --open-mode=append
set -u
shelf=$1 out=$2
mkdir -p "$out" journals
jisui "$shelf/" -o "$out/" --to cbz --recursive --shard auto --jobs "$SLURM_CPUS_PER_TASK" \
    --journal "journals/shard-$SLURM_ARRAY_TASK_ID.jsonl" --quiet
status=$?
# 75: failed for now, such as on a full disk. The journal continues.
if [ "$status" = 75 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
# 3: done, with warnings in the journal.
[ "$status" = 3 ] || exit "$status"
