#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

int process_socket(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

int process_output(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int process_start(
    pid_t *process, const char *program, char *const *arguments, char *const *environment, const int *descriptors,
    int count)
{
    enum { most = 8, above = most };
    int kept[most];
    if (count < 3 || count > most) return EINVAL;
    // Above their final numbers, so that none is overwritten before it was copied.
    kept[0] = -1;
    int copied = 1;
    while (copied < count && (kept[copied] = fcntl(descriptors[copied], F_DUPFD_CLOEXEC, above)) >= 0) copied++;
    int failure = copied < count ? errno : 0;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (failure == 0) failure = posix_spawn_file_actions_init(&actions);
    if (failure == 0) {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        for (int number = 1; number < count; number++)
            posix_spawn_file_actions_adddup2(&actions, kept[number], number);
        posix_spawn_file_actions_addclosefrom_np(&actions, count);
        posix_spawn_file_actions_addchdir_np(&actions, "/");
        posix_spawnattr_init(&attributes);
        sigset_t signals;
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&attributes, &signals);
        sigfillset(&signals);
        posix_spawnattr_setsigdefault(&attributes, &signals);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
        failure = posix_spawn(process, program, &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
    }
    while (copied > 1) close(kept[--copied]);
    return failure;
}
