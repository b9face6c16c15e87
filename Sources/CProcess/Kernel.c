#define _GNU_SOURCE
#include "Bounds.h"
#include "CProcess.h"

#include <linux/capability.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// What only Linux has, apart from Landlock and seccomp.

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

void drop_privileges(void)
{
    const unsigned kept = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH | 1u << CAP_FOWNER;
    // A program of root gets all of these again when it starts.
    for (unsigned long privilege = 0; prctl(PR_CAPBSET_READ, privilege, 0, 0, 0) >= 0; privilege++)
        if (privilege >= 32 || !(kept >> privilege & 1)) (void)prctl(PR_CAPBSET_DROP, privilege, 0, 0, 0);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &header, data) != 0) return;
    data[0].effective &= kept;
    data[0].permitted &= kept;
    data[1].effective = data[1].permitted = data[0].inheritable = data[1].inheritable = 0;
    (void)syscall(SYS_capset, &header, data);
}
