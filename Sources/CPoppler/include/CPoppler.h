#pragma once

// Poppler, cairo and GLib, loaded when the first page has to be rendered.
//
// They depend on some forty libraries. Loading these takes longer than converting a small book that needs none of them.
// Lazy linking requires the declarations of their functions here, because pkg-config only returns the path to their
// headers together with the linker flags. A test compares the declarations with the headers
// (Tests/Support/CPopplerCheck).

#include <stddef.h>
#include <stdint.h>

#ifndef CPOPPLER_TYPES_ARE_KNOWN

typedef struct _PopplerDocument PopplerDocument;
typedef struct _PopplerPage PopplerPage;
typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;
typedef struct _GTypeInstance GTypeInstance;
struct _GCancellable;

/// GError: the reason that something failed.
struct _GError {
    uint32_t domain;
    int code;
    char *message;
};

/// GList: one element of a linked list.
struct _GList {
    void *data;
    struct _GList *next;
    struct _GList *previous;
};

/// PopplerImageMapping: an image on a page.
struct _PopplerImageMapping {
    double area[4];
    int image_id;
};

/// PopplerRectangle: a part of a page in points, as it is displayed; y increases downward.
struct _PopplerRectangle {
    double x1, y1, x2, y2;
};

/// cairo_matrix_t: a transformation of the plane.
struct _cairo_matrix {
    double xx, yx, xy, yy, x0, y0;
};

/// cairo_rectangle_t.
struct _cairo_rectangle {
    double x, y, width, height;
};

/// GInputStream, the parent type of the stream here.
struct _GInputStream {
    void *members[4];
};

/// GInputStreamClass: the methods of a stream. Inherited and unused members are declared as padding.
struct _GInputStreamClass {
    void *inherited[17];
    ptrdiff_t (*read)(void *stream, void *target, size_t count, void *cancellable, struct _GError **error);
    ptrdiff_t (*skip)(void *stream, size_t count, void *cancellable, struct _GError **error);
    int (*close)(void *stream, void *cancellable, struct _GError **error);
    void *others[11];
};

/// GSeekableIface: the methods for seeking in a stream.
struct _GSeekableIface {
    void *inherited[2];
    int64_t (*tell)(void *stream);
    int (*can_seek)(void *stream);
    int (*seek)(void *stream, int64_t offset, int origin, void *cancellable, struct _GError **error);
    int (*can_truncate)(void *stream);
    int (*truncate)(void *stream, int64_t size, void *cancellable, struct _GError **error);
};

/// GInterfaceInfo: the initialization of an interface's functions.
struct _GInterfaceInfo {
    void (*prepare)(void *interface, void *context);
    void (*finish)(void *interface, void *context);
    void *context;
};

/// GLogField: a key of a log message, and its value.
struct _GLogField {
    const char *key;
    const void *value;
    ptrdiff_t length;
};

#endif

/// GLogWriterFunc; 1 means that the message was handled.
typedef unsigned (*CPopplerLogWriter)(int level, const struct _GLogField *fields, size_t count, void *context);

/// GInstanceInitFunc
typedef void (*CPopplerInstanceInit)(GTypeInstance *instance, void *type);

enum {
    /// CAIRO_FORMAT_RGB24
    CPOPPLER_RGB24 = 1,
    /// CAIRO_CONTENT_COLOR_ALPHA
    CPOPPLER_COLOR_ALPHA = 0x3000,
    /// G_LOG_WRITER_HANDLED
    CPOPPLER_LOG_HANDLED = 1,
    /// G_SEEK_CUR, G_SEEK_SET, G_SEEK_END
    CPOPPLER_SEEK_CURRENT = 0,
    CPOPPLER_SEEK_START = 1,
    CPOPPLER_SEEK_END = 2,
};

/// Every function that jisui calls: result, name, parameters.
#define CPOPPLER_FUNCTIONS(FUNCTION) \
    FUNCTION(const char *, poppler_get_version, (void)) \
    FUNCTION(PopplerDocument *, poppler_document_new_from_stream, \
             (struct _GInputStream *, int64_t, const char *, struct _GCancellable *, struct _GError **)) \
    FUNCTION(PopplerPage *, poppler_document_get_page, (PopplerDocument *, int)) \
    FUNCTION(void, poppler_page_get_size, (PopplerPage *, double *, double *)) \
    FUNCTION(void, poppler_page_render, (PopplerPage *, cairo_t *)) \
    FUNCTION(char *, poppler_page_get_text_for_area, (PopplerPage *, struct _PopplerRectangle *)) \
    FUNCTION(int, poppler_page_get_text_layout_for_area, \
             (PopplerPage *, struct _PopplerRectangle *, struct _PopplerRectangle **, unsigned *)) \
    FUNCTION(struct _GList *, poppler_page_get_image_mapping, (PopplerPage *)) \
    FUNCTION(void, poppler_page_free_image_mapping, (struct _GList *)) \
    FUNCTION(cairo_surface_t *, poppler_page_get_image, (PopplerPage *, int)) \
    FUNCTION(cairo_surface_t *, cairo_image_surface_create, (int, int, int)) \
    FUNCTION(cairo_surface_t *, cairo_recording_surface_create, (unsigned, const struct _cairo_rectangle *)) \
    FUNCTION(void, cairo_recording_surface_ink_extents, \
             (cairo_surface_t *, double *, double *, double *, double *)) \
    FUNCTION(unsigned char *, cairo_image_surface_get_data, (cairo_surface_t *)) \
    FUNCTION(int, cairo_image_surface_get_width, (cairo_surface_t *)) \
    FUNCTION(int, cairo_image_surface_get_height, (cairo_surface_t *)) \
    FUNCTION(int, cairo_image_surface_get_stride, (cairo_surface_t *)) \
    FUNCTION(unsigned, cairo_surface_status, (cairo_surface_t *)) \
    FUNCTION(void, cairo_surface_flush, (cairo_surface_t *)) \
    FUNCTION(void, cairo_surface_destroy, (cairo_surface_t *)) \
    FUNCTION(cairo_t *, cairo_create, (cairo_surface_t *)) \
    FUNCTION(void, cairo_set_source_rgb, (cairo_t *, double, double, double)) \
    FUNCTION(void, cairo_paint, (cairo_t *)) \
    FUNCTION(void, cairo_scale, (cairo_t *, double, double)) \
    FUNCTION(void, cairo_translate, (cairo_t *, double, double)) \
    FUNCTION(void, cairo_transform, (cairo_t *, const struct _cairo_matrix *)) \
    FUNCTION(unsigned, cairo_status, (cairo_t *)) \
    FUNCTION(const char *, cairo_status_to_string, (unsigned)) \
    FUNCTION(void, cairo_destroy, (cairo_t *)) \
    FUNCTION(void, g_log_set_writer_func, (CPopplerLogWriter, void *, void (*)(void *))) \
    FUNCTION(unsigned, g_list_length, (struct _GList *)) \
    FUNCTION(void, g_clear_error, (struct _GError **)) \
    FUNCTION(void, g_free, (void *)) \
    FUNCTION(void, g_object_unref, (void *)) \
    FUNCTION(void *, g_object_new, (size_t, const char *, ...)) \
    FUNCTION(size_t, g_input_stream_get_type, (void)) \
    FUNCTION(size_t, g_seekable_get_type, (void)) \
    FUNCTION(size_t, g_type_register_static_simple, \
             (size_t, const char *, unsigned, void (*)(void *, void *), unsigned, CPopplerInstanceInit, unsigned)) \
    FUNCTION(void, g_type_add_interface_static, (size_t, size_t, const struct _GInterfaceInfo *)) \
    FUNCTION(unsigned, g_io_error_quark, (void)) \
    FUNCTION(void, g_set_error_literal, (struct _GError **, unsigned, int, const char *))

/// The functions under their own names.
struct CPopplerFunctions {
#define CPOPPLER_FIELD(result, name, parameters) result (*name) parameters;
    CPOPPLER_FUNCTIONS(CPOPPLER_FIELD)
#undef CPOPPLER_FIELD
};

/// Loads the libraries. Later calls return the same result. NULL if they are not installed.
const struct CPopplerFunctions *cpoppler_load(void);

/// Reads bytes from an offset. Returns their number, 0 at the end, or a negated error number.
typedef int64_t (*CPopplerReader)(void *context, int64_t offset, char *target, size_t count);

/// Opens a document that is read through a function during its whole lifetime. Must be called after `cpoppler_load`.
PopplerDocument *cpoppler_open(
    CPopplerReader reader, void *context, int64_t size, const char *password, struct _GError **error);
