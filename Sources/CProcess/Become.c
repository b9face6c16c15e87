#define _GNU_SOURCE
#include "Bounds.h"
#include "CProcess.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char plugin_word[] = "--become-plug-in";
static const char worker_word[] = "--be-worker";

const char *sandbox_plugin_word(void)
{
    return plugin_word;
}

const char *sandbox_worker_word(void)
{
    return worker_word;
}

int sandbox_layers(void)
{
    return (has_landlock() ? sandbox_files : 0) | (has_seccomp() ? sandbox_calls : 0);
}

static void limit(int resource, unsigned long long most)
{
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0) return;
    if (limits.rlim_max != RLIM_INFINITY && most > limits.rlim_max) most = limits.rlim_max;
    limits.rlim_cur = limits.rlim_max = most;
    (void)setrlimit(resource, &limits);
}

/// Limits the processes and threads. The system counts those of the user, of which it may already have many.
static void limit_tasks(void)
{
    enum { most_own_tasks = 1024 };
    unsigned long long tasks;
    FILE *file = fopen("/proc/loadavg", "re");
    if (!file) return;
    if (fscanf(file, "%*s %*s %*s %*u/%llu", &tasks) == 1) limit(RLIMIT_NPROC, tasks + most_own_tasks);
    fclose(file);
}

static void refuse(const char *what)
{
    dprintf(STDERR_FILENO, "%s: %s\n", what, strerror(errno));
    _exit(126);
}

#if __has_feature(address_sanitizer)
enum { has_address_sanitizer = true };
#else
enum { has_address_sanitizer = false };
#endif

enum { program_place = 2, file_bytes_place = 3, memory_bytes_place = 4, words_place = 5 };

/// Whether the arguments are those of a process that jisui started with this word.
static bool is_asked(int argc, char **argv, const char *word)
{
    return argc >= words_place && strcmp(argv[1], word) == 0;
}

/// Gives up everything that the arguments do not allow. The process ends if that fails.
static void keep_in_bounds(char **argv, const char *program)
{
    unsigned long long most_of_file = strtoull(argv[file_bytes_place], NULL, 10);
    unsigned long long most_memory = strtoull(argv[memory_bytes_place], NULL, 10);
    bool may_start_programs = false;
    for (char **word = argv + words_place; *word; word++) may_start_programs |= !strcmp(*word, "exec");
    end_with_starter();
    // Not 0: the kernel would still pass the memory, with a password, to a program that collects core dumps (core(5)).
    limit(RLIMIT_CORE, 1);
    limit(RLIMIT_NOFILE, 256);
    if (most_of_file) limit(RLIMIT_FSIZE, most_of_file);
    limit_tasks();
    drop_privileges();
    if (chdir("/") != 0) refuse("/");
    if (!forbid_privileges()) refuse("no_new_privs");
    if (!restrict_files(argv + words_place, program)) refuse("Landlock");
    enum bound_process who = !program ? worker : may_start_programs ? plugin_that_starts_programs : plugin;
    if (!restrict_calls(who) && has_seccomp()) refuse("seccomp");
    // After all allocations, and those of libseccomp: the address sanitizer reserves more memory than any machine has.
    if (most_memory && (program || !has_address_sanitizer)) limit(RLIMIT_AS, most_memory);
}

void sandbox_give_up_unused(void)
{
    if (!forbid_privileges()) return;
    (void)restrict_reach();
    (void)restrict_own_calls();
}

void sandbox_become_asked(int argc, char **argv)
{
    if (!is_asked(argc, argv, plugin_word)) return;
    keep_in_bounds(argv, argv[program_place]);
    extern char **environ;
    // The words are not needed anymore; the program's arguments replace them.
    int count = 0;
    argv[count++] = argv[program_place];
    for (char **word = argv + words_place; *word; word++)
        if (!strncmp(*word, "arg:", 4)) argv[count++] = *word + 4;
    argv[count] = NULL;
    execve(argv[0], argv, environ);
    refuse("cannot be started");
}

const char *sandbox_worker_asked(int argc, char **argv)
{
    if (!is_asked(argc, argv, worker_word)) return NULL;
    keep_in_bounds(argv, NULL);
    return argv[program_place];
}
