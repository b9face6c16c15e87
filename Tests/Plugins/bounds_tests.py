#!/usr/bin/env python3
"""The bounds of plug-ins: each call of the system that reaches files or processes by another route is refused. See jisui_case.py."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

from helpers import png
from jisui_case import HERE, JISUI, expect, is_converted, main

TOP = os.path.join(HERE, "..", "..")

# Calls, by their names, and their arguments: PATH, FOLDER and PARENT stand for what the plug-in must not touch, IN for its input.
# Those without arguments are refused before the kernel looks at any.
ATTEMPTS = """
chmod PATH 511; fchmod 5 511; fchmodat -100 PATH 511; fchmodat2 -100 PATH 511 0; chown PATH 1 1; lchown PATH 1 1; fchown 5 1 1
fchownat -100 PATH 1 1 0; utime PATH 0; utimes PATH 0; futimesat -100 PATH 0; utimensat -100 PATH 0 0; utimensat 5 0 0 0
setxattr PATH NAME NAME 1 0; lsetxattr PATH NAME NAME 1 0; fsetxattr 5 NAME NAME 1 0; removexattr PATH NAME; lremovexattr PATH NAME
fremovexattr 5 NAME; setxattrat; removexattrat; file_setattr; truncate IN 0; truncate PATH 0; open IN 512; openat -100 IN 512
openat -100 IN 515; openat2; creat PATH 511; ioctl 5 1074292226 0; ioctl 5 21522 0; ioctl 5 35073 0; name_to_handle_at; open_by_handle_at
rename PATH FOLDER; link PATH FOLDER; unlink PATH; symlink PATH FOLDER; mknod FOLDER 4480 0; mkdir FOLDER 511
kill PARENT 0; kill -1 0; tkill PARENT 0; tgkill PARENT PARENT 0; rt_sigqueueinfo PARENT 0 0; rt_tgsigqueueinfo PARENT PARENT 0 0
pidfd_open PARENT 0; pidfd_send_signal; pidfd_getfd; fcntl 5 8 PARENT; fcntl 5 15 0; fcntl 5 10 9; ptrace 16 PARENT 0 0
process_vm_readv PARENT 0 0 0 0 0; process_vm_writev PARENT 0 0 0 0 0; process_madvise; process_mrelease; kcmp PARENT PARENT 2 0 0
prlimit64 PARENT 7 0 0; setpriority 0 PARENT 19; setpriority 1 0 19; setpriority 2 0 19; sched_setaffinity PARENT 8 NAME
sched_setscheduler PARENT 0 0; sched_setparam PARENT 0; sched_setattr PARENT 0 0; ioprio_set 1 PARENT 0; migrate_pages PARENT 0 0 0
move_pages PARENT 0 0 0 0 0; setsid; setpgid 0 0; shmget 0 4096 950; shmat; shmctl; shmdt; msgget 0 950; msgsnd; msgrcv; msgctl
semget 0 1 950; semop; semctl; semtimedop; mq_open NAME 66 438 0; mq_unlink NAME; mq_timedsend; mq_timedreceive; mq_notify; mq_getsetattr
keyctl 0 -3 0; add_key; request_key; socket 2 1 0; connect; bind; listen; unshare 268435456; setns; mount; umount2; chroot FOLDER
pivot_root; open_tree; move_mount; fsopen; mount_setattr; bpf; perf_event_open; userfaultfd; io_uring_setup; io_setup; memfd_secret
setuid 1; setgid 1; setresuid 1 1 1; setgroups; capset; personality 0; fork; vfork; clone 268435473; clone3; syslog; sethostname; reboot
"""

NOSY = """#!/usr/bin/env python3
import ctypes, errno, json, os, socket
c = ctypes.CDLL(None, use_errno=True)
def attempt(call):
    words = {"PATH": PATH, "FOLDER": FOLDER, "IN": os.environ["JISUI_INPUT"], "NAME": "user.jisui", "PARENT": os.getppid()}
    arguments = [words.get(word, word) for word in call.split()[1:]]
    arguments = [word.encode() if isinstance(word, str) and not word.lstrip("-").isdigit() else ctypes.c_long(int(word)) for word in arguments]
    ctypes.set_errno(0)
    if c.syscall(NUMBERS[call.split()[0]], *arguments, *[0] * (6 - len(arguments))) != -1: return "was possible"
    return errno.errorcode.get(ctypes.get_errno(), "?")
def read(path):
    try:
        with open(path, "rb") as file: file.read(1)
        return "was possible"
    except OSError as error:
        return errno.errorcode[error.errno]
host = socket.socket(fileno=3)
for line in host.makefile("r"):
    ask = json.loads(line)
    if ask["ask"] == "hello": end = {"ok": True, "version": 1}
    elif ask["ask"] == "open":
        for call in CALLS: host.sendall(json.dumps({"warning": f"{call} = {attempt(call)}"}).encode() + b"\\n")
        for path in FILES: host.sendall(json.dumps({"warning": f"read {path} = {read(path)}"}).encode() + b"\\n")
        host.sendall(b'{"page":1,"name":"a"}\\n')
        end = {"ok": True}
    else: end = {"error": "unsupported", "message": "what?"}
    host.sendall(json.dumps(end).encode() + b"\\n")
"""


def numbers():
    """The calls that the kernel's headers name, and their numbers; newer ones have one number everywhere."""
    compiler = next(filter(shutil.which, ("cc", "clang", "gcc")), None)
    if not compiler:
        return None
    made = subprocess.run([compiler, "-E", "-dM", "-x", "c", "-"], input="#include <asm/unistd.h>\n", capture_output=True, text=True, check=True)
    known = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)$", made.stdout, re.M)}
    return {"fchmodat2": 452, "setxattrat": 463, "removexattrat": 466, "file_setattr": 469} | known


def calls_that_reach_beyond_the_bounds_are_refused(case):
    bounds = json.loads(case.jisui("plugin", "list", "--json").stdout)["bounds"]
    known = numbers()
    if "calls" not in bounds or known is None:
        return
    calls = [call for call in re.split(r"[;\n]\s*", ATTEMPTS.strip()) if call.split()[0] in known]
    expect(len(calls) > 60, "hardly a call was tried")
    files = ["/etc/passwd", "/etc/hostname", "/etc/group", "/etc/fstab", "/etc/ld.so.cache"] if "files" in bounds else []
    for needs in ([], ["exec"]):
        program = os.path.join(case.plugins, "jisui-source-nosy")
        with open(program + ".json", "w") as file:
            json.dump({"jisui": [1], "role": "source", "id": "nosy", "summary": "tries what it must not", "extensions": ["nosy"],
                       "needs": needs}, file)
        with open(program, "w") as file:
            names = f"PATH, FOLDER, CALLS, FILES, NUMBERS = {case.path('secret')!r}, {case.path('new')!r}, {calls!r}, {files!r}, {known!r}\n"
            file.write(NOSY.replace("c = ctypes", names + "c = ctypes", 1))
        os.chmod(program, 0o755)
        for name in ("secret", "a.nosy"):
            with open(case.path(name), "w") as file:
                file.write("text")
        before = os.stat(case.path("secret")), os.stat(case.path("a.nosy"))
        said = case.jisui("info", "--json", "--from", "nosy", "a.nosy")
        told = {message.split(" = ")[0]: message.split(" = ")[1]
                for message in re.findall(r'"message": "([^"]* = [^"]*)"', said.stdout)}
        expect(set(calls) <= set(told), f"not tried: {set(calls) - set(told)} {said.stdout[:300]}{said.stderr}")
        # Programs that know of no bounds are told that it went well; that nothing did is seen below.
        answered = ("fork", "vfork", "chmod", "fchmod", "fchmodat", "utime", "utimes", "futimesat", "utimensat") if needs else ()
        wrong = {call: answer for call, answer in told.items() if not call.startswith("read ") and call.split()[0] not in answered
                 and answer not in ("EPERM", "ENOSYS") + (("ENOTTY",) if call.startswith("ioctl") else ())
                 + (("EACCES",) if "files" in bounds else ())}
        expect(not wrong, f"{needs}: {wrong}")
        reads = {call: answer for call, answer in told.items() if call.startswith("read ")}
        expect(all(answer in ("EACCES", "ENOENT") or "ld.so.cache" in call for call, answer in reads.items()), f"{reads}")
        after = os.stat(case.path("secret")), os.stat(case.path("a.nosy"))
        expect([(one.st_mode, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for one in before]
               == [(one.st_mode, one.st_size, one.st_mtime_ns, one.st_ctime_ns) for one in after], "a file was changed")


def every_call_of_the_system_is_classified(case):
    """A call that the kernel's headers name and the table does not is refused; but somebody should have decided that."""
    known = numbers()
    if known is None:
        return
    with open(os.path.join(TOP, "Sources/CProcess/CallTable.c")) as file:
        table = file.read()
    classified = re.findall(r"\[SYS_(\w+)\] = \w+", table) + re.findall(r"^// Later: (.*)$", table, re.M)[0].split()
    missing = {name for name in known if name not in classified}
    expect(not missing, f"not in Sources/CProcess/CallTable.c: {sorted(missing)}")
    twice = {name for name in classified if classified.count(name) > 1}
    expect(not twice, f"twice in the table: {sorted(twice)}")


def an_unpacker_that_sets_times_works_within_the_bounds(case):
    if not shutil.which("unar"):
        return
    for ending in ("", ".json"):
        shutil.copy(os.path.join(TOP, "Plugins/UnarSource/jisui-source-unar" + ending), case.plugins)
    with zipfile.ZipFile(case.path("book.cbz"), "w") as book:
        for number in range(1, 4):
            book.writestr(f"{number}.png", png(number))
    is_converted(case, case.jisui("book.cbz", "-o", "again.cbz", "--from", "unar"))
    expect(len(case.pages("again.cbz")) == 3, "a page is missing")


# Has the kernel answer that it does not know Landlock, and becomes jisui.
WITHOUT_LANDLOCK = """
import ctypes, os, struct, sys
rules = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x50000 | 38), (0x06, 0, 0, 0x7FFF0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
class Program(ctypes.Structure): _fields_ = [("count", ctypes.c_ushort), ("rules", ctypes.c_void_p)]
c = ctypes.CDLL(None)
c.prctl(38, 1, 0, 0, 0)
c.prctl(22, 2, ctypes.byref(Program(len(rules), ctypes.addressof(code))), 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def a_missing_layer_is_told_of_and_refused_by_strict(case):
    os.makedirs(case.path("book"))
    with open(case.path("book/1.png"), "wb") as file:
        file.write(png(1))

    def jisui(*arguments):
        return subprocess.run([sys.executable, "-c", WITHOUT_LANDLOCK, JISUI, *arguments], capture_output=True, text=True, cwd=case.folder,
                              env={"PATH": os.environ["PATH"], "HOME": case.path("home"), "TMPDIR": case.folder}, timeout=200)

    if json.loads(jisui("plugin", "list", "--json").stdout)["bounds"] != ["calls"]:
        return
    ended = jisui("book", "-o", "strict.cbz", "--isolate", "strict")
    expect(ended.returncode == 1 and "Landlock" in ended.stderr, f"{ended.returncode}: {ended.stderr}")
    expect(not os.path.exists(case.path("strict.cbz")), "strict wrote a book")
    ended = jisui("book", "-o", "book.cbz", "--verbose", "--report", "report.json")
    is_converted(case, ended)
    expect("Landlock" in ended.stderr, ended.stderr)
    with open(case.path("report.json")) as file:
        expect(json.loads(file.readline())["missingBounds"] == ["files"], "the report does not tell")
    if json.loads(case.jisui("plugin", "list", "--json").stdout)["bounds"] == ["files", "calls"]:
        ended = case.jisui("book", "-o", "strict.cbz", "--isolate", "strict", "--report", "whole.json")
        is_converted(case, ended)
        with open(case.path("whole.json")) as file:
            expect("missingBounds" not in json.loads(file.readline()), "a layer is said to be missing")


main(globals())
