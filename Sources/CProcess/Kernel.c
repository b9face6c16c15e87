#define _GNU_SOURCE
#include "Bounds.h"
#include "CProcess.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

// What only Linux has, apart from Landlock and seccomp. `Portable.c` stands for this file elsewhere.

int process_slot(void)
{
    return memfd_create("jisui-slot", MFD_CLOEXEC);
}

void end_with_starter(void)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

bool forbid_privileges(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}
