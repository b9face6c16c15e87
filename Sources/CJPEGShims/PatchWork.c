#include "PatchWork.h"

#include <stdlib.h>
#include <string.h>

#include "Transcoding.h"

void *allocate(Work *work, size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory) fail((j_common_ptr)&work->result, "there is not enough memory");
    return memory;
}

void begin_part(Work *work)
{
    jpeg_create_compress(&work->part_encoder);
    write_into(&work->part_encoder, &work->part);
}

void open_part(Work *work, const uint8_t *data, size_t size)
{
    jpeg_destroy_compress(&work->part_encoder);
    jpeg_create_decompress(&work->part_decoder);
    jpeg_mem_src(&work->part_decoder, data, (unsigned long)size);
    jpeg_read_header(&work->part_decoder, TRUE);
}

void close_part(Work *work)
{
    jpeg_destroy_decompress(&work->part_decoder);
    discard(&work->part);
}

void decode_part(Work *work, Region *region)
{
    Decoder *part = &work->part_decoder;
    if (work->is_whole)
        open_part(work, work->data, work->size);
    else
        open_part(work, work->part.bytes, work->part.size);
    part->out_color_space = work->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    part->dct_method = JDCT_ISLOW;
    // The result has all coefficients in full, so no decoder will smooth its blocks.
    part->do_block_smoothing = FALSE;
    jpeg_start_decompress(part);
    if ((int)part->output_width != region->width || (int)part->output_height != region->height)
        fail((j_common_ptr)part, "a part has another size than it was cut to");
    while (part->output_scanline < part->output_height) {
        JSAMPROW row = region->pixels + (size_t)part->output_scanline * (size_t)region->width * (size_t)work->channels;
        jpeg_read_scanlines(part, &row, 1);
    }
    jpeg_finish_decompress(part);
    close_part(work);
}

void encode_part(Work *work, const Region *region)
{
    Encoder *part = &work->part_encoder;
    const Encoder *whole = &work->result;
    begin_part(work);
    part->image_width = (JDIMENSION)region->width;
    part->image_height = (JDIMENSION)region->height;
    part->input_components = work->channels;
    part->in_color_space = work->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(part);
    jpeg_set_colorspace(part, whole->jpeg_color_space);
    for (int i = 0; i < NUM_QUANT_TBLS; i++) {
        const JQUANT_TBL *table = whole->quant_tbl_ptrs[i];
        if (!table) continue;
        unsigned int values[DCTSIZE2];
        for (int k = 0; k < DCTSIZE2; k++) values[k] = table->quantval[k];
        jpeg_add_quant_table(part, i, values, 100, FALSE);
    }
    for (int c = 0; c < part->num_components; c++) {
        part->comp_info[c].h_samp_factor = whole->num_components == 1 ? 1 : whole->comp_info[c].h_samp_factor;
        part->comp_info[c].v_samp_factor = whole->num_components == 1 ? 1 : whole->comp_info[c].v_samp_factor;
        part->comp_info[c].quant_tbl_no = whole->comp_info[c].quant_tbl_no;
    }
    part->dct_method = JDCT_ISLOW;
    jpeg_start_compress(part, TRUE);
    while (part->next_scanline < part->image_height) {
        JSAMPROW row = region->pixels + (size_t)part->next_scanline * (size_t)region->width * (size_t)work->channels;
        jpeg_write_scanlines(part, &row, 1);
    }
    jpeg_finish_compress(part);
}

void check_place(const Work *work, const cjpeg_overlay *overlay)
{
    int width = (int)work->source.image_width, height = (int)work->source.image_height;
    if (overlay->x < 0 || overlay->y < 0 || overlay->width <= 0 || overlay->height <= 0 ||
        overlay->width > width - overlay->x || overlay->height > height - overlay->y)
        fail((j_common_ptr)&work->result, "an overlay does not lie on the picture");
}

Region whole_region(const Work *work, const cjpeg_overlay *overlays)
{
    int width = (int)work->source.image_width, height = (int)work->source.image_height;
    return (Region){.overlays = overlays, .count = work->count, .width = width, .height = height};
}

bool begin_work(Work *work, const uint8_t *data, size_t size, int count, cjpeg_diagnostic *diagnostic)
{
    memset(diagnostic, 0, sizeof *diagnostic);
    work->regions = calloc((size_t)count, sizeof *work->regions);
    work->count = count;
    work->data = data;
    work->size = size;
    manage(&work->manager, (j_common_ptr)&work->result, diagnostic);
    work->source.err = work->part_decoder.err = work->part_encoder.err = &work->manager.base;
    return work->regions;
}

/// Records the parameters of each scan. libjpeg forgets them at the next one.
static void record_scan(j_common_ptr codec)
{
    limit_scans(codec);
    const Decoder *source = (const Decoder *)codec;
    Work *work = codec->client_data;
    if (source->input_scan_number <= work->scan_count || work->scan_count == most_scans) return;
    jpeg_scan_info *scan = &work->scans[work->scan_count++];
    *scan = (jpeg_scan_info){
        .comps_in_scan = source->comps_in_scan, .Ss = source->Ss, .Se = source->Se, .Ah = source->Ah, .Al = source->Al};
    for (int i = 0; i < scan->comps_in_scan; i++) scan->component_index[i] = source->cur_comp_info[i]->component_index;
}

/// Whether libjpeg can write the recorded scans, and they have all bits of all coefficients.
static bool has_usual_scans(const Work *work)
{
    // The limit of its encoder, and not of its decoder.
    enum { most_bits = 10 };
    for (const jpeg_scan_info *scan = work->scans; scan < work->scans + work->scan_count; scan++) {
        if (scan->Al > most_bits) return false;
        for (int i = 1; i < scan->comps_in_scan; i++)
            if (scan->component_index[i - 1] >= scan->component_index[i]) return false;
    }
    for (int c = 0; c < work->source.num_components; c++)
        for (int k = 0; k < DCTSIZE2; k++)
            if (work->source.coef_bits[c][k] != 0) return false;
    return true;
}

void keep_scans(Work *work)
{
    if (has_usual_scans(work)) {
        work->result.scan_info = work->scans;
        work->result.num_scans = work->scan_count;
    } else {
        jpeg_simple_progression(&work->result);
    }
}

void open_source(Work *work)
{
    jpeg_create_compress(&work->result);
    write_into(&work->result, &work->destination);
    jpeg_create_decompress(&work->source);
    work->source.client_data = work;
    work->source.progress = &work->manager.progress;
    work->manager.progress.progress_monitor = record_scan;
    jpeg_mem_src(&work->source, work->data, (unsigned long)work->size);
    save_markers(&work->source);
    jpeg_read_header(&work->source, TRUE);
}

void end_work(Work *work)
{
    jpeg_destroy_compress(&work->part_encoder);
    jpeg_destroy_decompress(&work->part_decoder);
    jpeg_destroy_compress(&work->result);
    jpeg_destroy_decompress(&work->source);
    for (int i = 0; work->regions && i < work->count; i++) free(work->regions[i].pixels);
    free(work->regions);
    free(work->touched);
    discard(&work->part);
    discard(&work->destination);
    free(work);
}
