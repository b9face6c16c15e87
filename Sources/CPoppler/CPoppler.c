#include "CPoppler.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

static struct CPopplerFunctions functions;
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    // The library's soname since version 0.20. The loader finds its dependencies, cairo and GLib, through it.
    void *library = dlopen("libpoppler-glib.so.8", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define LOOK_UP(result, name, parameters) \
    void *found_##name = dlsym(library, #name); \
    if (!found_##name) return; \
    memcpy(&functions.name, &found_##name, sizeof found_##name);
    CPOPPLER_FUNCTIONS(LOOK_UP)
    loaded = true;
}

const struct CPopplerFunctions *cpoppler_load(void)
{
    pthread_once(&once, load);
    return loaded ? &functions : NULL;
}

// A stream that reads through a function. Poppler's own stream silently treats a read error as the end of the file.

struct stream {
    struct _GInputStream parent;
    CPopplerReader reader;
    void *context;
    int64_t size, position;
};

static ptrdiff_t stream_read(void *this, void *target, size_t count, void *cancellable, struct _GError **error)
{
    struct stream *stream = this;
    (void)cancellable;
    if (stream->position >= stream->size) return 0;
    int64_t got = stream->reader(stream->context, stream->position, target, count);
    if (got < 0) {
        functions.g_set_error_literal(error, functions.g_io_error_quark(), 0, strerror((int)-got));
        return -1;
    }
    stream->position += got;
    return got;
}

static int stream_close(void *this, void *cancellable, struct _GError **error)
{
    (void)this, (void)cancellable, (void)error;
    return true;
}

static int64_t stream_tell(void *this) { return ((struct stream *)this)->position; }

static int stream_can_seek(void *this)
{
    (void)this;
    return true;
}

static int stream_seek(void *this, int64_t offset, int origin, void *cancellable, struct _GError **error)
{
    struct stream *stream = this;
    (void)cancellable, (void)error;
    int64_t start = origin == CPOPPLER_SEEK_START ? 0 : origin == CPOPPLER_SEEK_END ? stream->size : stream->position;
    // Positions outside the file contain no data.
    if (__builtin_add_overflow(start, offset, &stream->position) || stream->position < 0) stream->position = stream->size;
    return true;
}

static int stream_can_truncate(void *this)
{
    (void)this;
    return false;
}

static void prepare_class(void *class, void *context)
{
    (void)context;
    struct _GInputStreamClass *functions_of_stream = class;
    functions_of_stream->read = stream_read;
    functions_of_stream->close = stream_close;
}

static void prepare_seekable(void *interface, void *context)
{
    (void)context;
    struct _GSeekableIface *seekable = interface;
    seekable->tell = stream_tell;
    seekable->can_seek = stream_can_seek;
    seekable->seek = stream_seek;
    seekable->can_truncate = stream_can_truncate;
}

static size_t stream_type;

static void register_stream(void)
{
    static const struct _GInterfaceInfo seekable = { .prepare = prepare_seekable };
    stream_type = functions.g_type_register_static_simple(
        functions.g_input_stream_get_type(), "JisuiInputStream", sizeof(struct _GInputStreamClass), prepare_class,
        sizeof(struct stream), NULL, 0);
    functions.g_type_add_interface_static(stream_type, functions.g_seekable_get_type(), &seekable);
}

PopplerDocument *cpoppler_open(
    CPopplerReader reader, void *context, int64_t size, const char *password, struct _GError **error)
{
    static pthread_once_t registered = PTHREAD_ONCE_INIT;
    pthread_once(&registered, register_stream);
    struct stream *stream = functions.g_object_new(stream_type, NULL);
    stream->reader = reader;
    stream->context = context;
    stream->size = size;
    PopplerDocument *document =
        functions.poppler_document_new_from_stream(&stream->parent, size, password, NULL, error);
    // The document holds its own reference.
    functions.g_object_unref(stream);
    return document;
}
