"""Has jisui take pictures every way there is to PNG, and compares the pixels with Pillow's.

    compare_pictures.py --jisui BIN PICTURE...

Ways: stored as PNG, turned by 90 degrees, cropped by a pixel, laid into a strip. Pillow's picture is held upright as EXIF
says; a CMYK picture is converted by Pillow, with its profile if it has one. A picture that Pillow does not read is passed
over. Prints a line for each picture and way that differs, with the largest and the mean difference of 255.
"""

import argparse
import io
import subprocess
import tempfile
from pathlib import Path

from PIL import Image, ImageChops, ImageCms, ImageOps, ImageStat

Image.MAX_IMAGE_PIXELS = None
SRGB = ImageCms.createProfile("sRGB")


def eight_bits(picture):
    if picture.mode.startswith("I;16") or picture.mode == "I":
        return picture.point(lambda value: value / 257).convert("L")
    return picture


def plain(picture, on_white):
    """Red, green and blue; transparent pixels laid on white, or left out."""
    picture = eight_bits(picture)
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        if on_white:
            base = Image.new("RGBA", picture.size, "white")
            return Image.alpha_composite(base, picture).convert("RGB")
        return picture
    return picture.convert("RGB")


def pillows(path):
    picture = Image.open(path)
    profile = picture.info.get("icc_profile")
    picture.load()
    picture = ImageOps.exif_transpose(picture)
    if picture.mode == "CMYK" and profile:
        picture = ImageCms.profileToProfile(
            picture, ImageCms.ImageCmsProfile(io.BytesIO(profile)), SRGB, outputMode="RGB",
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC, flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)
    return picture


WAYS = {
    "png": (["--image-format", "png"], lambda picture: picture),
    "turned": (["--image-format", "png", "--rotate", "90"], lambda picture: picture.transpose(Image.Transpose.ROTATE_270)),
    "cropped": (["--image-format", "png", "--crop", "1,0,0,1"],
                lambda picture: picture.crop((1, 1, *picture.size)) if min(picture.size) > 1 else None),
    "strip": (None, lambda picture: picture),
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jisui", required=True)
    parser.add_argument("--tolerance", type=int, default=0, help="of 255; what is more is shown")
    parser.add_argument("pictures", nargs="+", type=Path)
    wanted = parser.parse_args()
    counts = {"equal": 0, "differ": 0, "refused": 0, "not judged": 0}
    for path in wanted.pictures:
        try:
            theirs = pillows(path)
            plain(theirs, True)
        except Exception:
            counts["not judged"] += 1
            continue
        for way, (options, change) in WAYS.items():
            expected = change(theirs)
            if expected is None:
                continue
            with tempfile.TemporaryDirectory() as scratch:
                out = f"{scratch}/strip.png" if options is None else f"{scratch}/pages/"
                run = subprocess.run(
                    [wanted.jisui, str(path), "-o", out, "-q", *(options or [])], capture_output=True, text=True)
                files = [Path(out)] if options is None else sorted(Path(out).glob("*")) if Path(out).is_dir() else []
                if not files or not files[0].exists():
                    counts["refused"] += 1
                    if way == "png":
                        print(f"{path.name}: {run.stderr.strip()}")
                    continue
                ours = Image.open(files[0])
                ours.load()
            ours, expected = plain(ours, way == "strip"), plain(expected, way == "strip")
            if ours.size != expected.size:
                counts["differ"] += 1
                print(f"{path.name}: {way}: {ours.size} where Pillow has {expected.size}")
                continue
            if ours.mode != expected.mode:
                ours, expected = ours.convert("RGBA"), expected.convert("RGBA")
            difference = ImageChops.difference(ours, expected)
            most = max(high for _, high in difference.getextrema()) if ours.mode != "L" else difference.getextrema()[1]
            if most > wanted.tolerance:
                mean = sum(ImageStat.Stat(difference).mean) / len(difference.getbands())
                counts["differ"] += 1
                print(f"{path.name}: {way}: differs by {most} at most, {mean:.3f} on average")
            else:
                counts["equal"] += 1
    print(", ".join(f"{count} {name}" for name, count in counts.items()))


if __name__ == "__main__":
    main()
