"""The bounds of plug-ins: each call of the system that reaches files or processes by another route is refused."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

import faulty
from faulty import png
from helpers import FIXTURES, JISUI, TOP

# Swift comes with one of them.
COMPILER = next(filter(shutil.which, ("cc", "clang", "gcc")))
NO_SANDBOX = "the system has no such sandbox"

# Calls, by their names, and their arguments: PATH, FOLDER and PARENT stand for what a process must not touch, IN for its input,
# and OWN for a new file where it may write: no pipe, and none that others could run as its owner.
# Those without arguments are refused before the kernel looks at any. All of them are refused to everyone who is kept in bounds.
ATTEMPTS = """
chmod PATH 511; fchmod 5 511; fchmodat -100 PATH 511; fchmodat2 -100 PATH 511 0; chown PATH 1 1; lchown PATH 1 1; fchown 5 1 1
fchownat -100 PATH 1 1 0; utime PATH 0; utimes PATH 0; futimesat -100 PATH 0; utimensat -100 PATH 0 0; utimensat 5 0 0 0
setxattr PATH NAME NAME 1 0; lsetxattr PATH NAME NAME 1 0; fsetxattr 5 NAME NAME 1 0; removexattr PATH NAME; lremovexattr PATH NAME
fremovexattr 5 NAME; setxattrat -100 PATH 0 NAME 0 0; removexattrat -100 PATH 0 NAME; file_setattr -100 PATH 0 0 0
truncate IN 0; truncate PATH 0; open IN 512; openat -100 IN 512
mknod OWN 4480 0; mknodat -100 OWN 4480 0; mknodat -100 OWN 35309 0; creat OWN 2541; open OWN 65 1517; openat -100 OWN 65 2541
openat -100 IN 515; openat2 -100 PATH 0 0; ioctl 5 1074292226 0; ioctl 5 21522 0; ioctl 5 35073 0; name_to_handle_at; open_by_handle_at
kill PARENT 0; kill -1 0; tkill PARENT 0; tgkill PARENT PARENT 0; rt_sigqueueinfo PARENT 0 0; rt_tgsigqueueinfo PARENT PARENT 0 0
pidfd_open PARENT 0; pidfd_send_signal; pidfd_getfd; fcntl 5 8 PARENT; fcntl 5 15 0; fcntl 5 10 9; ptrace 16 PARENT 0 0; ptrace 0 0 0 0
process_vm_readv PARENT 0 0 0 0 0; process_vm_writev PARENT 0 0 0 0 0; process_madvise; process_mrelease; kcmp PARENT PARENT 2 0 0
prlimit64 PARENT 7 0 0; setpriority 0 PARENT 19; setpriority 1 0 19; setpriority 2 0 19; sched_setaffinity PARENT 8 NAME
sched_setscheduler PARENT 0 0; sched_setparam PARENT 0; sched_setattr PARENT 0 0; ioprio_set 1 PARENT 0; ioprio_set 2 0 0
migrate_pages PARENT 0 0 0
move_pages PARENT 0 0 0 0 0; setsid; setpgid 0 0; setpgid PARENT 0; shmget 0 4096 950; shmat; shmctl; shmdt; msgget 0 950; msgsnd; msgrcv; msgctl
semget 0 1 950; semop; semctl; semtimedop; mq_open NAME 66 438 0; mq_unlink NAME; mq_timedsend; mq_timedreceive; mq_notify; mq_getsetattr
keyctl 0 -3 0; keyctl 1 0; add_key NAME NAME NAME 1 -3; request_key NAME NAME 0 -3; socket 2 1 0; socket 16 3 0; connect; bind; listen; accept; accept4
socketpair 1 2 0 NAME; socketpair 1 524290 0 NAME; sendto 1 NAME 5 0 NAME 16; sendmsg 1 NAME 0; sendmmsg 1 NAME 1 0
prctl 1 0 0 0 0; sched_setscheduler 0 1 NAME; sched_setscheduler 0 2 NAME; sched_setattr 0 NAME 0
unshare 268435456; setns; mount; umount2; chroot FOLDER; pivot_root; open_tree; move_mount; fsopen; fsconfig; fsmount; fspick; mount_setattr
open_tree_attr; statmount; listmount; quotactl; quotactl_fd; swapon; swapoff; bpf; perf_event_open; userfaultfd; io_uring_setup; io_uring_enter
io_uring_register; io_setup; io_submit; memfd_secret; fanotify_init; fanotify_mark; inotify_init1; inotify_add_watch
setuid 1; setgid 1; setreuid 1 1; setregid 1 1; setresuid 1 1 1; setresgid 1 1 1; setfsuid 1; setfsgid 1; setgroups; capset; personality 0
clone 268435473; clone3; syslog; sethostname; setdomainname; settimeofday; clock_settime; clock_adjtime; adjtimex; acct; vhangup; reboot
init_module; finit_module; delete_module; kexec_load; kexec_file_load; iopl 3; ioperm 0 1 1; modify_ldt; uselib; lsm_set_self_attr
"""

# Landlock refuses these: seccomp cannot tell one path from another.
ATTEMPTS_ON_FILES = """
creat PATH 511; rename PATH FOLDER; link PATH FOLDER; unlink PATH; symlink PATH FOLDER; mknod FOLDER 4480 0; mkdir FOLDER 511
openat -100 PATH 0; openat -100 PATH 1; openat -100 FOLDER 65 438; linkat -100 PATH -100 FOLDER 0; renameat2 -100 PATH -100 FOLDER 0
openat -100 /etc/passwd 0; openat -100 /etc/group 0; openat -100 /etc/hostname 0; openat -100 /etc/hosts 0; openat -100 /etc/fstab 0
openat -100 /etc/shadow 0; openat -100 /etc/resolv.conf 0; openat -100 /proc/1/environ 0; openat -100 /proc/1/mem 2; openat -100 /dev/tty 2
openat -100 /etc 65536; openat -100 /root 65536; openat -100 /home 65536; openat -100 /tmp 65536; openat -100 /proc 65536
"""

# Only what starts other programs may make processes; and jisui's own workers become no program and take no memory that nobody counts.
ATTEMPTS_TO_START = "fork; vfork; clone 17"
ATTEMPTS_OF_WORKERS = "execve PATH 0 0; execveat -100 PATH 0 0 0; memfd_create NAME 0"

# Parts of the source of faulty.py, which warns of the outcome of each thing that it tries when it opens its book. This one makes calls.
NOSY = """
import ctypes, errno
c = ctypes.CDLL(None, use_errno=True)
def attempt(name, *words):
    values = {"IN": os.environ["JISUI_INPUT"], "PARENT": str(os.getppid()), "OWN": os.path.join(os.environ.get("TMPDIR", "."), "own")}
    arguments = [values.get(word, word) for word in words]
    arguments = [ctypes.c_long(int(word)) if word.lstrip("-").isdigit() else word.encode() for word in arguments]
    ctypes.set_errno(0)
    is_made = c.syscall(NUMBERS[name], *arguments, *[0] * (6 - len(arguments))) != -1
    return "was possible" if is_made else errno.errorcode.get(ctypes.get_errno(), "?")
FAULTS[FAULT] = "", "listed", lambda _: [say({"warning": f"{call} = {attempt(*words)}"}) for call, words in CALLS.items()]
"""
# Ends what it started: by a signal to its group, and by ending the thread that started it.
ENDING = """
import ctypes, subprocess, threading
c = ctypes.CDLL(None)
def start(): return subprocess.Popen(["sleep", "1000"], preexec_fn=lambda: c.prctl(1, signal.SIGKILL))
def grouped(child):
    signal.signal(signal.SIGTERM, lambda *_: None)
    os.kill(0, signal.SIGTERM)
    return child.wait() == -signal.SIGTERM
def left():
    children = []
    thread = threading.Thread(target=lambda: children.append(start()))
    thread.start()
    thread.join()
    return children[0].wait() == -signal.SIGKILL
FAULTS[FAULT] = "", "listed", lambda _: say({"warning": f"ended = {grouped(start())}, {left()}"})
"""
# Has the kernel answer that it does not know Landlock, and becomes jisui.
WITHOUT_LANDLOCK = """
import ctypes, os, sys
library = ctypes.CDLL("libseccomp.so.2")
library.seccomp_init.restype = ctypes.c_void_p
rules = ctypes.c_void_p(library.seccomp_init(0x7FFF0000))
library.seccomp_rule_add(rules, 0x50000 | 38, 444, 0)
library.seccomp_load(rules)
os.execv(sys.argv[1], sys.argv[1:])
"""
# Stands for a main process that was taken over: it makes these calls when it writes its output.
TAKEN_OVER = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static int told = -1;
__attribute__((constructor)) static void begin(void) { told = open(TOLD, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600); }
#define TRY(call) dprintf(told, "%d %d\\n", getppid(), (call) == 0 ? 0 : errno)
ssize_t pwrite(int file, const void *bytes, size_t count, off_t place)
{
    static int tries;
    int ends[2];
    if (!tries++) {
        TRY(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : (errno = EINVAL, -1));
        TRY(chmod(SECRET, 0777));
        TRY(fchmodat(AT_FDCWD, SECRET, 0777, 0));
        TRY(chown(SECRET, 0, 0));
        TRY(utimensat(AT_FDCWD, SECRET, NULL, 0));
        TRY(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
    }
    return syscall(SYS_pwrite64, file, bytes, count, place);
}
"""


def run(case, has_landlock, *arguments):
    if has_landlock:
        return case.jisui(*arguments)
    return case.jisui("-c", WITHOUT_LANDLOCK, JISUI, *arguments, program=sys.executable)


def tried(case, part, needs, has_landlock=True):
    """What a source with such a part tries: the outcomes by their names."""
    program = faulty.install(case.plugins)
    program.write_text(program.read_text().replace("\nplugin =", f"{part}\nplugin ="))
    case.change_card("source-faulty", needs=needs)
    said = run(case, has_landlock, "info", "--json", "book.faulty")
    return dict(message.split(" = ") for message in re.findall(r'"message": "([^"]* = [^"]*)"', said.stdout))


def compile_library(path, source, **names):
    """Makes a library of a C program in which these names stand for texts."""
    command = [COMPILER, "-shared", "-fPIC", *(f'-D{name}="{text}"' for name, text in names.items()), "-x", "c", "-o", path, "-"]
    subprocess.run(command, input=source, text=True, check=True)
    return path


def numbers():
    """The calls that the kernel's headers name, and their numbers; newer ones have one number everywhere."""
    command = [COMPILER, "-E", "-dM", "-x", "c", "-"]
    made = subprocess.run(command, input="#include <asm/unistd.h>\n", capture_output=True, text=True, check=True)
    known = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)$", made.stdout, re.M)}
    return {"fchmodat2": 452, "setxattrat": 463, "removexattrat": 466, "file_setattr": 469} | known


def calls_of(*texts):
    return [call for text in texts for call in re.split(r"[;\n]\s*", text.strip())]


def is_refused(call, answer):
    """Whether an answer is a refusal, and no complaint about arguments."""
    if call.startswith("ioctl"):
        return answer in ("EPERM", "ENOTTY")
    if call.split()[0] in [other.split()[0] for other in calls_of(ATTEMPTS_ON_FILES)]:
        # What is not there cannot be opened either.
        return answer in ("EPERM", "EACCES") or answer == "ENOENT" and "/" in call
    return answer in ("EPERM", "ENOSYS")


def state(*paths):
    return [(one.st_mode, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for one in map(os.stat, paths)]


def refuses(case, make, *more):
    """Has a process make calls, given with their words; it gives their answers, once there are the files that they would change."""
    bounds, known = case.sandbox(), numbers()
    if "calls" not in bounds:
        pytest.skip(NO_SANDBOX)
    wanted = [ATTEMPTS, *more] + ([ATTEMPTS_ON_FILES] if "files" in bounds else [])
    case.faulty()
    files = case.path("secret", "text"), case.path("book.faulty")
    words = {"PATH": str(files[0]), "FOLDER": str(case.path("new")), "NAME": "user.jisui"}
    calls = {call: [words.get(word, word) for word in call.split()] for call in calls_of(*wanted) if call.split()[0] in known}
    assert len(calls) > 130, "hardly a call was tried"
    before = state(*files)
    answers = make(calls, known)
    wrong = {call: answers.get(call) for call in calls if not is_refused(call, answers.get(call))}
    assert wrong == {}
    assert before == state(*files) and not case.path("new").exists()


def test_plugin_is_refused_each_call(case):
    for needs in ([], ["exec"]):
        refuses(case, lambda calls, known: tried(case, f"CALLS, NUMBERS = {calls!r}, {known!r}\n{NOSY}", needs),
                *([] if needs else [ATTEMPTS_TO_START]))


def errors_of_worker(case, calls, **variables):
    """What the system answers to calls of jisui's own process that decodes a picture: an errno for each, or 0."""
    picture = (FIXTURES / "good/Imaging/still.gif").read_bytes()
    case.path("book/1.gif", picture)
    case.path("book/2.gif", picture + f"JISUIFLT calls {'; '.join(calls)}\n".encode())
    said = case.convert("book", "-o", "out/", "--image-format", "png", JISUI_TEST_FAULTS="1", status=3, **variables).stderr
    told = [int(number) for number in re.findall(r"\b\d+=(\d+)", said)]
    assert len(told) == len(calls), f"{len(told)} of {len(calls)} calls were tried: {said[:300]}"
    return told


def test_worker_is_refused_each_call(case):
    """jisui's own process that decodes a picture, as a library would that has been taken over."""
    paths = {"IN": f"{case.folder}/secret", "OWN": f"{case.folder}/own", "PARENT": "parent"}

    def make(calls, known):
        lines = [" ".join([str(known[name]), *(paths.get(word, word) for word in rest)]) for name, *rest in calls.values()]
        return {call: errno.errorcode.get(number, "was possible") for call, number in zip(calls, errors_of_worker(case, lines))}

    refuses(case, make, ATTEMPTS_TO_START, ATTEMPTS_OF_WORKERS)


def test_worker_reads_a_preloaded_library_but_not_its_folder(case):
    if "files" not in case.sandbox():
        pytest.skip(NO_SANDBOX)
    secret = case.path("home/secret", "text")
    library = compile_library(case.path("home/library.so"), "int preloaded;\n")
    calls = [f"{numbers()['openat']} -100 {path} 0" for path in (library, secret)]
    assert errors_of_worker(case, calls, LD_PRELOAD=library) == [0, errno.EACCES]


def test_jisui_itself_changes_only_files_that_are_open(case):
    if "calls" not in case.sandbox():
        pytest.skip(NO_SANDBOX)
    secret = case.path("secret", "text")
    before = state(secret)
    case.path("book/1.png", png(1))
    library = compile_library(case.path("library.so"), TAKEN_OVER, SECRET=secret, TOLD=case.path("told"))
    said = case.jisui("book", "-o", "again.pdf", LD_PRELOAD=library)
    # Those of jisui itself, and not of its workers.
    answers = re.findall(f"^{os.getpid()} (.*)", case.path("told").read_text(), re.M)
    assert answers == ["0"] + [str(errno.EPERM)] * 5, said.stderr
    assert before == state(secret)


def test_every_call_of_the_system_is_classified():
    """A call that the kernel's headers name and the table does not is refused; but somebody should have decided that."""
    table = (TOP / "Sources/CProcess/CallTable.c").read_text()
    classified = re.findall(r"\[SYS_(\w+)\] = \w+", table) + re.findall(r"^// Later: (.*)$", table, re.M)[0].split()
    assert set(numbers()) <= set(classified)
    assert [name for name in classified if classified.count(name) > 1] == []


@pytest.mark.skipif(not shutil.which("unar"), reason="not installed")
def test_an_unpacker_that_sets_times_works_within_the_bounds(case):
    case.copy("Plugins/UnarSource/jisui-source-unar")
    pages = [png(number) for number in range(1, 4)]
    with zipfile.ZipFile(case.path("book.cbz"), "w") as book:
        for number, page in enumerate(pages, 1):
            book.writestr(f"{number}.png", page)
    for has_landlock in (True, False):
        case.is_converted(run(case, has_landlock, "book.cbz", "-o", "again.cbz", "--from", "unar", "--force"))
        assert case.pages("again.cbz") == pages


def test_plugin_can_end_its_own_child_processes(case):
    case.faulty()
    for has_landlock in (True, False):
        assert tried(case, ENDING, ["exec"], has_landlock) == {"ended": "True, True"}


def test_missing_sandbox_layer_is_reported_or_rejected(case):
    case.path("book/1.png", png(1))
    if json.loads(run(case, False, "plugin", "list", "--json").stdout)["sandbox"] != ["calls"]:
        pytest.skip(NO_SANDBOX)
    ended = run(case, False, "book", "-o", "strict.cbz", "--isolate", "strict")
    assert ended.returncode == 1 and "Landlock" in ended.stderr and not case.path("strict.cbz").exists()
    ended = run(case, False, "book", "-o", "book.cbz", "--verbose", "--report", "report.json")
    case.is_converted(ended)
    assert "Landlock" in ended.stderr
    assert case.read("report.json")["missingSandbox"] == ["files"]
    if case.sandbox() == ["files", "calls"]:
        case.convert("book", "-o", "strict.cbz", "--isolate", "strict", "--report", "whole.json")
        assert "missingSandbox" not in case.read("whole.json")
