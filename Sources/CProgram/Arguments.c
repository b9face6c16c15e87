#include "CProgram.h"

#include <stddef.h>

static int count;
static char *const none[] = { NULL };
static char *const *arguments = none;

/// The C library calls constructors with what it calls main with.
__attribute__((constructor)) static void keep(int given_count, char **given)
{
    count = given_count;
    arguments = given;
}

int program_argument_count(void) { return count; }

char *const *program_arguments(void) { return arguments; }
