// The interface to qpdf.
//
// The C API of qpdf does not return the offset of a stream's data in the file, and copies every stream through several
// buffers. With the offset, several threads at once can read single-JPEG pages directly from the file. This shim uses
// C++ with qpdf and C with Swift; no exception leaves it.
//
// A document, and every object from it, may be used by one thread at a time.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jqpdf_document jqpdf_document;
typedef struct jqpdf_object jqpdf_object;

enum jqpdf_status {
    jqpdf_ok = 0,
    jqpdf_failed = 1,
    jqpdf_wrong_password = 2,
    jqpdf_too_large = 3,
    jqpdf_out_of_memory = 4,
};

enum jqpdf_type {
    jqpdf_null,
    jqpdf_boolean,
    jqpdf_numeric,
    jqpdf_string,
    jqpdf_name,
    jqpdf_array,
    jqpdf_dictionary,
    jqpdf_stream,
    jqpdf_other,
};

/// Reads `count` bytes from `offset` into `target` and returns their number: fewer only at the end of the document,
/// none after it. A negative result is a negated error number.
///
/// Most read errors count as damage in qpdf, which continues with partial data, so a reader has to remember them.
typedef int64_t (*jqpdf_reader)(void *context, int64_t offset, char *target, size_t count);

/// The memory that several documents may take together: so many bytes for objects and tables, and so many for the data of
/// one stream without its filters.
typedef struct jqpdf_memory jqpdf_memory;

/// NULL if memory is insufficient.
jqpdf_memory *jqpdf_memory_new(int64_t structure, int64_t data);
/// Documents that were opened with it may stay open.
void jqpdf_memory_free(jqpdf_memory *memory);

/// Opens a document of `size` bytes. On failure it returns NULL, sets `status` and writes a message into `message`.
/// `reader` is called with `context` until the document is closed, by the thread that uses the document.
jqpdf_document *jqpdf_open(
    jqpdf_memory *memory, jqpdf_reader reader, void *context, int64_t size, const char *name, const char *password,
    enum jqpdf_status *status, char *message, size_t message_size);
void jqpdf_close(jqpdf_document *document);

/// The version of qpdf.
const char *jqpdf_library_version(void);

/// The version in the document's header, as ten times the major number plus the minor one; 0 for none.
int jqpdf_version(jqpdf_document *document);

/// Whether the cross-reference table was missing or wrong, so that qpdf had to search the file for objects.
bool jqpdf_is_repaired(jqpdf_document *document);

/// Whether the document needed more memory than it may take. The data read since then may be incomplete.
bool jqpdf_exceeded_memory(jqpdf_document *document);

/// Whether an allocation failed in a call on this thread since the last query, or in reading this document. Such a
/// failure counts as damage in qpdf: the data read since then may be incomplete.
bool jqpdf_ran_out_of_memory(jqpdf_document *document);

jqpdf_object *jqpdf_trailer(jqpdf_document *document);
/// An indirect object by its number; a null object if it does not exist.
jqpdf_object *jqpdf_object_at(jqpdf_document *document, int number, int generation);

void jqpdf_release(jqpdf_object *object);
enum jqpdf_type jqpdf_type_of(jqpdf_object *object);
/// The object's number, or 0 for a direct object.
int jqpdf_number(jqpdf_object *object);
int jqpdf_generation(jqpdf_object *object);
bool jqpdf_boolean_value(jqpdf_object *object);
double jqpdf_number_value(jqpdf_object *object);
/// The bytes of a string, or of a name without its slash; valid until the next call on the same object.
const char *jqpdf_text(jqpdf_object *object, size_t *count);
int jqpdf_array_count(jqpdf_object *object);
jqpdf_object *jqpdf_array_item(jqpdf_object *object, int index);
/// Whether every item of an array refers to an object that the file lists. The objects are not read.
bool jqpdf_refers_to_objects(jqpdf_document *document, jqpdf_object *array);
/// The value of a key in a dictionary or a stream's dictionary; a null object if the key does not exist.
jqpdf_object *jqpdf_key(jqpdf_object *object, const char *key);
/// The keys of a dictionary, without slashes, each ending in a NUL byte; valid until the next call on the object.
const char *jqpdf_keys(jqpdf_object *object, size_t *count);

/// The offset of a stream's data in the file, or -1 if it is not stored there unchanged (encrypted, rebuilt).
int64_t jqpdf_stream_offset(jqpdf_document *document, jqpdf_object *stream);

/// A stream's bytes after removing its filters, except the last `kept` of them. Free with `free`.
uint8_t *jqpdf_stream_data(
    jqpdf_document *document, jqpdf_object *stream, int kept, size_t limit, size_t *count, enum jqpdf_status *status,
    char *message, size_t message_size);

/// The content streams of a page, joined with line ends, after removing all filters. Free with `free`.
uint8_t *jqpdf_page_contents(
    jqpdf_object *page, size_t limit, size_t *count, enum jqpdf_status *status, char *message, size_t message_size);

/// Reads everything that a page or another dictionary refers to, except other pages and objects that were read in this
/// way before. Only the reader knows whether all of it was readable.
void jqpdf_read_through(jqpdf_document *document, jqpdf_object *object);

/// Sets a page's /CropBox, in memory.
void jqpdf_set_crop_box(jqpdf_object *page, double left, double bottom, double right, double top);
/// Writes the current document, without encryption.
enum jqpdf_status jqpdf_write(jqpdf_document *document, const char *path, char *message, size_t message_size);

/// A document without pages; NULL if memory is insufficient.
jqpdf_document *jqpdf_new(void);

/// Adds an object from its PDF syntax, which may refer to other objects of the document. Returns its number; 0 if it
/// cannot be created.
int jqpdf_add_object(jqpdf_document *document, const char *text, size_t count);

/// Adds a stream whose dictionary is given as text. Its data, `length` bytes from `offset`, are read each time it is
/// written. Returns its number; 0 if it cannot be created.
int jqpdf_add_stream(
    jqpdf_document *document, const char *text, size_t count, jqpdf_reader reader, void *context, int64_t offset,
    int64_t length);

/// Sets a key of a dictionary or a stream to a value given as text; "null" removes the key.
bool jqpdf_set_key(jqpdf_document *document, jqpdf_object *container, const char *key, const char *text, size_t count);

/// Receives the next bytes of a written document; false stops writing.
typedef bool (*jqpdf_writer)(void *context, const unsigned char *data, size_t count);

/// The form of a written document.
struct jqpdf_form {
    /// Whether objects are packed into compressed streams, rather than stored as in their source file.
    bool packs_objects;
    /// Whether the first page can be shown before the rest has been loaded.
    bool is_linearized;
    /// The minimum version of PDF that it states, such as "1.5".
    const char *version;
    /// 32 hexadecimal digits that identify the document.
    const char *identifier;
};

/// Writes the document without encryption. Equal documents give equal bytes.
enum jqpdf_status jqpdf_write_out(
    jqpdf_document *document, jqpdf_writer writer, void *context, struct jqpdf_form form, char *message,
    size_t message_size);

/// Gives a dictionary's key an object of the same document as its value.
bool jqpdf_set_key_object(jqpdf_object *container, const char *key, jqpdf_object *value);

/// Copies pages of another document, each at most once, with all objects that they need except other pages. Pages that
/// refer to each other still do so afterwards. Fills `numbers` with their numbers. `source` must stay open until the
/// document is written.
bool jqpdf_copy_pages(
    jqpdf_document *document, jqpdf_document *source, jqpdf_object *const *pages, int count, int *numbers);

/// Adds the optional content groups of another document whose pages have been copied, with the state in its default
/// configuration. `pages` are those pages, in their document. Unless `is_whole`, groups that they do not use are
/// omitted. Returns whether that was possible.
bool jqpdf_merge_layers(
    jqpdf_document *document, jqpdf_document *source, jqpdf_object *const *pages, int count, bool is_whole);

/// Removes optional content groups that these pages do not use from the document's list.
bool jqpdf_prune_layers(jqpdf_document *document, jqpdf_object *const *pages, int count);

/// The state of a document's tags.
enum jqpdf_structure_state {
    jqpdf_structure_none,
    jqpdf_structure_sound,
    jqpdf_structure_broken,
    jqpdf_structure_too_deep,
};

enum jqpdf_structure_state jqpdf_structure_state_of(jqpdf_document *document);

/// The tags of several documents that are merged into one.
typedef struct jqpdf_structure jqpdf_structure;

/// NULL if memory is insufficient.
jqpdf_structure *jqpdf_structure_new(jqpdf_document *target);
void jqpdf_structure_free(jqpdf_structure *structure);

/// Numbers the objects that the tags of pages refer to. Must be called for every document, including the target, before
/// its pages are copied: copies are identified by their numbers. Without `keeps`, the pages lose their tags.
bool jqpdf_structure_number(
    jqpdf_structure *structure, jqpdf_document *source, jqpdf_object *const *pages, int count, bool keeps);

/// Creates the tags of the target, which has these pages. `is_all` means that each of them was numbered.
bool jqpdf_structure_finish(jqpdf_structure *structure, bool is_all, jqpdf_object *const *pages, int count);

/// Makes a page, a copy of one in `source`, paint nothing for the `hidden` images. The same applies to images of its
/// resources that are not in `kept`, so that they need not be written. Images are identified by their numbers and
/// generations in `source`. Returns whether that was possible.
bool jqpdf_hide_pictures(
    jqpdf_document *document, jqpdf_document *source, jqpdf_object *page, const int (*hidden)[2], int hidden_count,
    const int (*kept)[2], int kept_count);

/// Removes the text in rendering mode 3 from a page and from copies of the forms that it paints. The page does not change
/// if the status is not `jqpdf_ok`.
enum jqpdf_status jqpdf_remove_invisible_text(
    jqpdf_document *document, jqpdf_object *page, size_t limit, char *message, size_t message_size);

/// Adds a stream with new data, which it compresses, and the dictionary of another stream, or an empty one for NULL.
/// Returns its number; 0 if memory is insufficient.
int jqpdf_add_content(jqpdf_document *document, jqpdf_object *stream, const uint8_t *data, size_t count);

/// Gives a dictionary or a stream a copy of the dictionary that is a key's value, so that others keep theirs, and returns
/// it. The copy is empty if there is no such dictionary. NULL if memory is insufficient.
jqpdf_object *jqpdf_own_dictionary(jqpdf_object *container, const char *key);

/// Adds a page with the same contents as another one, and returns its number; 0 if memory is insufficient.
int jqpdf_repeat_page(jqpdf_document *document, jqpdf_object *page);

/// Removes pages, and the form fields that are on no other page. References to the pages become null, except to those from
/// `first_replaced` on, which jqpdf_redirect leads to other pages.
bool jqpdf_remove_pages(jqpdf_document *document, jqpdf_object *const *pages, int count, int first_replaced);

/// Adds a form XObject that paints the same as a page, in the page's own coordinates. Returns its number; 0 if it
/// cannot be created. The page must not change until the document is written.
int jqpdf_form_of_page(jqpdf_document *document, jqpdf_object *page);

/// Makes a page paint a form XObject before anything else. Resources that pages share get the form's name as well:
/// separate copies for every page could be many times as large as the document. False if memory is insufficient.
bool jqpdf_lay_below(jqpdf_document *document, jqpdf_object *page, int form);

/// Transforms an annotation, or a copy of it, by a matrix of quarter turns like its page. Returns its number; 0 if
/// memory is insufficient. The page's list of annotations is not changed. A form field keeps its parts.
int jqpdf_move_annotation(
    jqpdf_document *document, jqpdf_object *annotation, jqpdf_object *page, const double *matrix, bool copies);

/// Makes the items of an array in a dictionary indirect objects, in an array that belongs only to this dictionary.
bool jqpdf_own_items(jqpdf_document *document, jqpdf_object *container, const char *key);

/// A page that shows another one, or a part of it.
typedef struct {
    jqpdf_object *source;
    jqpdf_object *page;
    /// The visible part, in the source's coordinates: left, bottom, right, top.
    double box[4];
    /// The transformation from the source's coordinates to the page's: a, b, c, d, e, f.
    double matrix[6];
} jqpdf_appearance;

/// Redirects references to sources. A destination in a source is redirected to the first page that shows its position.
/// All other references are redirected to the first page that shows the source.
bool jqpdf_redirect(jqpdf_document *document, const jqpdf_appearance *appearances, int count);

/// Removes the names of destinations whose page does not exist.
bool jqpdf_prune_names(jqpdf_document *document);

/// Receives the number of a file specification: 0 for a direct object.
typedef void (*jqpdf_take_number)(void *context, int number);

/// A part of a document that does something, or leads out of it.
enum jqpdf_part {
    /// Data in another file.
    jqpdf_part_external,
    jqpdf_part_postscript,
    /// Data that a program stored for itself.
    jqpdf_part_private,
    jqpdf_part_script,
    /// Another action that leaves the document.
    jqpdf_part_action,
};

/// Receives a part.
typedef void (*jqpdf_take_part)(void *context, enum jqpdf_part part);

/// Whether links may lead to an address: to the web, to mail, or to a telephone.
bool jqpdf_allows_address(const char *address, size_t count);

/// Reports each part of the first two kinds that pages or their objects have. False if the document cannot be read.
bool jqpdf_find_parts(
    jqpdf_document *document, jqpdf_object *const *pages, int count, jqpdf_take_part take, void *context);

/// Removes all parts of these kinds, wherever they are, and reports each.
bool jqpdf_drop_parts(jqpdf_document *document, jqpdf_take_part take, void *context);

/// Reports each file that belongs to the catalog, to pages or their objects, or to tags. A file that belongs to several
/// of them is reported several times. False if the document cannot be read.
bool jqpdf_find_files(
    jqpdf_document *document, bool of_catalog, bool of_tags, jqpdf_object *const *pages, int count,
    jqpdf_take_number take, void *context);

/// Removes all references to files embedded in the document, and reports each as `jqpdf_find_files` does.
bool jqpdf_drop_files(jqpdf_document *document, jqpdf_take_number take, void *context);

#ifdef __cplusplus
}
#endif
