// What jisui asks of qpdf.
//
// qpdf's own C API does not tell where in the file a stream's data lies, and copies every stream through
// several buffers. Knowing the place, a page that is one JPEG can be read straight from the file by several
// lanes at once. This shim speaks C++ to qpdf and C to Swift; no exception leaves it.
//
// A document, and every object that came from it, may be used by one thread at a time.

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

/// Reads `count` bytes from `offset` into `target` and returns how many there were: fewer only at the end of the
/// document, none past it. A negative result is an error number with its sign changed.
///
/// qpdf takes most errors of reading for damage and carries on with what it has: a reader has to remember them.
typedef int64_t (*jqpdf_reader)(void *context, int64_t offset, char *target, size_t count);

/// Opens a document of `size` bytes; on failure returns NULL, sets `status` and puts a message into `message`.
/// `reader` is called with `context` until the document is closed, by the thread that uses the document.
jqpdf_document *jqpdf_open(
    jqpdf_reader reader, void *context, int64_t size, const char *name, const char *password,
    enum jqpdf_status *status, char *message, size_t message_size);
void jqpdf_close(jqpdf_document *document);

/// The version that the document states at its beginning, ten times the first number and the second; 0 for none.
int jqpdf_version(jqpdf_document *document);

/// Whether the cross-reference table was missing or wrong, so that qpdf had to search the file for objects.
bool jqpdf_is_repaired(jqpdf_document *document);

/// Whether memory was lacking in a call on this thread since this was last asked, or in reading this document.
/// qpdf takes that for damage: what was read since may lack something.
bool jqpdf_ran_out_of_memory(jqpdf_document *document);

jqpdf_object *jqpdf_trailer(jqpdf_document *document);
/// An indirect object by its number; a null object when there is none.
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
/// Whether every item of an array refers to an object that the file lists; none of them is read for it.
bool jqpdf_refers_to_objects(jqpdf_document *document, jqpdf_object *array);
/// The value of a key in a dictionary or a stream's dictionary; a null object when there is none.
jqpdf_object *jqpdf_key(jqpdf_object *object, const char *key);
/// The keys of a dictionary, without slashes, each ending in a NUL byte; valid until the next call on the object.
const char *jqpdf_keys(jqpdf_object *object, size_t *count);

/// Where a stream's data begins in the file, or -1 when it is not there as it stands (encrypted, rebuilt).
int64_t jqpdf_stream_offset(jqpdf_document *document, jqpdf_object *stream);

/// A stream's bytes with its filters undone, save the last `kept` of them. Free with `free`.
uint8_t *jqpdf_stream_data(
    jqpdf_document *document, jqpdf_object *stream, int kept, size_t limit, size_t *count, enum jqpdf_status *status,
    char *message, size_t message_size);

/// The content streams of a page, joined with line ends, with all filters undone. Free with `free`.
uint8_t *jqpdf_page_contents(
    jqpdf_object *page, size_t limit, size_t *count, enum jqpdf_status *status, char *message, size_t message_size);

/// Reads everything that a page or another dictionary refers to, save other pages and what this document has read
/// so before. Only the reader can tell whether all of it was readable.
void jqpdf_read_through(jqpdf_document *document, jqpdf_object *object);

/// Sets a page's /CropBox, in memory.
void jqpdf_set_crop_box(jqpdf_object *page, double left, double bottom, double right, double top);
/// Writes the document as it now is, without encryption.
enum jqpdf_status jqpdf_write(jqpdf_document *document, const char *path, char *message, size_t message_size);

/// A document without pages; NULL when memory is lacking.
jqpdf_document *jqpdf_new(void);

/// Adds an object given as it is written in a PDF, which may refer to others of the document, and returns its number; 0
/// when it cannot be made.
int jqpdf_add_object(jqpdf_document *document, const char *text, size_t count);

/// Adds a stream whose dictionary is given as text. Its data, `length` bytes from `offset`, are read each time it is
/// written. Returns its number; 0 when it cannot be made.
int jqpdf_add_stream(
    jqpdf_document *document, const char *text, size_t count, jqpdf_reader reader, void *context, int64_t offset,
    int64_t length);

/// Gives a dictionary's or a stream's key a value given as text; "null" takes the key away.
bool jqpdf_set_key(jqpdf_document *document, jqpdf_object *container, const char *key, const char *text, size_t count);

/// Takes the next bytes of a document that is written; false stops it.
typedef bool (*jqpdf_writer)(void *context, const unsigned char *data, size_t count);

/// How a document is written.
struct jqpdf_form {
    /// Whether objects are packed into compressed streams, rather than as they were in the file they come from.
    bool packs_objects;
    /// Whether the first page can be shown before the rest has come.
    bool is_linearized;
    /// The lowest version of PDF that it states, as "1.5".
    const char *version;
    /// 32 hexadecimal digits that tell the document from others.
    const char *identifier;
};

/// Writes the document without encryption. Equal documents give equal bytes.
enum jqpdf_status jqpdf_write_out(
    jqpdf_document *document, jqpdf_writer writer, void *context, struct jqpdf_form form, char *message,
    size_t message_size);

/// Gives a dictionary's key an object of the same document as its value.
bool jqpdf_set_key_object(jqpdf_object *container, const char *key, jqpdf_object *value);

/// Copies pages of another document, of which none is there twice, with all they need but other pages; those that refer to
/// each other do so afterwards. Fills `numbers` with their numbers. `source` must stay open until the document is written.
bool jqpdf_copy_pages(
    jqpdf_document *document, jqpdf_document *source, jqpdf_object *const *pages, int count, int *numbers);

/// Adds the optional content groups of another document, of which pages have been copied, with the state that its default
/// configuration gives them. `pages` are those pages, in their document; unless `is_whole`, groups that they do not use stay
/// out. Returns whether that could be done.
bool jqpdf_merge_layers(
    jqpdf_document *document, jqpdf_document *source, jqpdf_object *const *pages, int count, bool is_whole);

/// Takes optional content groups that these pages do not use out of the document's list.
bool jqpdf_prune_layers(jqpdf_document *document, jqpdf_object *const *pages, int count);

/// What is known of a document's tags.
enum jqpdf_structure_state {
    jqpdf_structure_none,
    jqpdf_structure_sound,
    jqpdf_structure_broken,
    jqpdf_structure_too_deep,
};

enum jqpdf_structure_state jqpdf_structure_state_of(jqpdf_document *document);

/// Tags of several documents that are put together in one.
typedef struct jqpdf_structure jqpdf_structure;

/// NULL when memory is lacking.
jqpdf_structure *jqpdf_structure_new(jqpdf_document *target);
void jqpdf_structure_free(jqpdf_structure *structure);

/// Numbers what the tags of pages refer to. To be called for every document, the target as well, before its pages are copied:
/// copies are known again by their numbers. Without `keeps`, the pages lose their tags.
bool jqpdf_structure_number(
    jqpdf_structure *structure, jqpdf_document *source, jqpdf_object *const *pages, int count, bool keeps);

/// Makes the tags of the target, whose pages these are. `is_all` says that each of them was numbered.
bool jqpdf_structure_finish(jqpdf_structure *structure, bool is_all, jqpdf_object *const *pages, int count);

/// Has a page, the copy of one of `source`, paint nothing in the place of the `hidden` pictures; nor of those pictures of its
/// resources that are not among `kept`, so that they need not be written. Pictures are named by their numbers and
/// generations in `source`. Returns whether that could be done.
bool jqpdf_hide_pictures(
    jqpdf_document *document, jqpdf_document *source, jqpdf_object *page, const int (*hidden)[2], int hidden_count,
    const int (*kept)[2], int kept_count);

/// Adds a page with the same contents as another one, and returns its number; 0 when memory is lacking.
int jqpdf_repeat_page(jqpdf_document *document, jqpdf_object *page);

/// Takes pages out, and the form fields that are on no other page. What refers to the pages refers to null then.
bool jqpdf_remove_pages(jqpdf_document *document, jqpdf_object *const *pages, int count);

/// Adds a form XObject that paints what a page does in the page's own coordinates, and returns its number; 0 when it cannot
/// be made. The page must stay as it is until the document is written.
int jqpdf_form_of_page(jqpdf_document *document, jqpdf_object *page);

/// Has a page paint a form XObject before anything else. Resources that pages share get the form's name all the same: copies of
/// them for every page could be many times as large as the document. False when memory is lacking.
bool jqpdf_lay_below(jqpdf_document *document, jqpdf_object *page, int form);

/// Brings an annotation, or a copy of it, to where a matrix of quarter turns brings its page, and returns its number; 0 when
/// memory is lacking. The page's list of annotations stays as it is. A form field keeps its parts.
int jqpdf_move_annotation(
    jqpdf_document *document, jqpdf_object *annotation, jqpdf_object *page, const double *matrix, bool copies);

/// Makes the items of an array that is a dictionary's value objects of their own, in an array that is only this dictionary's.
bool jqpdf_own_items(jqpdf_document *document, jqpdf_object *container, const char *key);

/// A page that shows another one, or a part of it.
typedef struct {
    jqpdf_object *source;
    jqpdf_object *page;
    /// What it shows, in the source's coordinates: left, bottom, right, top.
    double box[4];
    /// Brings the source's coordinates to the page's: a, b, c, d, e, f.
    double matrix[6];
} jqpdf_appearance;

/// Leads every destination that names a source to the page that shows its place, the first of those that do, and everything
/// else that refers to a source to the first page that shows it.
bool jqpdf_redirect(jqpdf_document *document, const jqpdf_appearance *appearances, int count);

/// Takes the names of destinations away whose page is not there.
bool jqpdf_prune_names(jqpdf_document *document);

/// Gets the number of a file specification: 0 for one that is no object of its own.
typedef void (*jqpdf_take_number)(void *context, int number);

/// Tells of each file that belongs to the catalog, to pages or what they lead to, or to tags; of one as often as it belongs to
/// something. False when the document cannot be read.
bool jqpdf_find_files(
    jqpdf_document *document, bool of_catalog, bool of_tags, jqpdf_object *const *pages, int count,
    jqpdf_take_number take, void *context);

/// Takes away what leads to files that lie in the document, wherever that is, and tells of each as `jqpdf_find_files` does.
bool jqpdf_drop_files(jqpdf_document *document, jqpdf_take_number take, void *context);

#ifdef __cplusplus
}
#endif
