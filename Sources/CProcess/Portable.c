#define _GNU_SOURCE
#include "Bounds.h"
#include "CProcess.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Stands for the files about Landlock, seccomp and other features of Linux in builds without them: see
// docs/dev/portability.md. Processes keep their limits, and jisui reports the missing layers of the sandbox.

int process_slot(void)
{
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    // Like all temporary files, not in /tmp: that is often memory.
    snprintf(path, sizeof path, "%s/.jisui-slot-XXXXXX", folder && *folder ? folder : "/var/tmp");
    int slot = mkstemp(path);
    if (slot < 0) return -1;
    (void)unlink(path);
    (void)fcntl(slot, F_SETFD, FD_CLOEXEC);
    return slot;
}

void end_with_starter(void)
{
}

void drop_privileges(void)
{
}

bool forbid_privileges(void)
{
    return true;
}

bool has_landlock(void)
{
    return false;
}

bool has_seccomp(void)
{
    return false;
}

bool restrict_files(char **words, const char *program)
{
    (void)words, (void)program;
    return true;
}

bool restrict_calls(enum bound_process who)
{
    (void)who;
    return true;
}

bool restrict_reach(void)
{
    return true;
}

bool restrict_own_calls(void)
{
    return true;
}

bool sandbox_keep_to(
    const char *const *inputs, const char *const *readable, const char *const *writable, const char *temporary)
{
    (void)inputs, (void)readable, (void)writable, (void)temporary;
    return false;
}
