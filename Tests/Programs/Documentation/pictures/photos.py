"""Pictures of pages before and after a change, put side by side and photographed by Chromium."""

import base64
import json
import subprocess
import time

STYLE = """
body{margin:0;background:#fff;font:15px 'DejaVu Sans',sans-serif;color:#24292f}
main{display:inline-flex;gap:22px;padding:18px;background:#e9e6de;align-items:flex-start}
figure{margin:0}figcaption{margin-bottom:8px;font-weight:bold}
img,canvas{display:block;background:#fff;box-shadow:0 1px 5px #0006}
.arrow{align-self:center;font-size:34px;color:#59636e}
"""
# A page that is bent near the binding, on its left: rows are lower there, and narrower.
CURVED = """
async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas"), {width, height} = image;
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  for (let x = 0; x < width; x++) {
    const near = 1 - x / width, drop = 0.07 * width * near ** 2.5;
    context.drawImage(image, x, 0, 1, height, x, drop, 1, height);
  }
  return canvas.toDataURL("image/png");
}
"""


def address(path):
    kind = {"jpg": "jpeg"}.get(path.suffix[1:], path.suffix[1:])
    return f"data:image/{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"


def figure(path, caption, height=None, width=None, tall=None):
    """A page with its caption. `tall` cuts it off after so many pixels."""
    size = f"height:{height}px" if height else f"width:{width}px"
    image = f'<img style="{size}" src="{address(path)}">'
    if tall:
        image = f'<div style="height:{tall}px;overflow:hidden">{image}</div>'
    return f"<figure><figcaption>{caption}</figcaption>{image}</figure>"


class Studio:
    """Makes pages with jisui and pictures with a browser."""

    def __init__(self, jisui, browser, folder, target):
        self.jisui, self.browser, self.folder, self.target = jisui, browser, folder, target

    def run(self, *words):
        done = subprocess.run(
            [self.jisui, *words, "-q", "--force"], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        # 3: with warnings, such as about text that images cannot store.
        if done.returncode not in (0, 3):
            raise SystemExit(f"jisui ended with {done.returncode}")

    def pages(self, name):
        return sorted((self.folder / name).glob("0*"))

    def shoot(self, name, body, quality=60):
        """Photographs the elements of `main`."""
        path = self.folder / f"{name}.html"
        path.write_text(f"<!DOCTYPE html><meta charset=utf-8><style>{STYLE}</style><main>{body}</main>")
        self.browser.resize(1400, 1600)
        self.browser.open(path.as_uri())
        time.sleep(1)
        box = self.browser.run(
            "const box = document.querySelector('main').getBoundingClientRect(); return [box.width, box.height]")
        self.save(name, {"x": 0, "y": 0, "width": box[0], "height": box[1], "scale": 1}, quality)

    def save(self, name, clip, quality=60):
        picture = self.browser.devtools("Page.captureScreenshot", format="webp", quality=quality, clip=clip)["data"]
        (self.target / f"{name}.webp").write_bytes(base64.b64decode(picture))

    def crop(self):
        self.run("scan.pdf", "-o", "whole/")
        self.run("scan.pdf", "-o", "cut/", "--trim")
        number = 3
        before, after = self.pages("whole")[number], self.pages("cut")[number]
        self.shoot("crop", figure(before, "before", 420) + '<div class="arrow">→</div>' + figure(after, "--trim", 420))

    def sheet(self):
        self.run("scan.pdf", "-o", "x/", "--trim", "--trim-sheet", "sheet.html", "-n")
        self.browser.resize(1000, 640)
        self.browser.open((self.folder / "sheet.html").as_uri())
        time.sleep(1.5)
        self.save("sheet", {"x": 0, "y": 0, "width": 1000, "height": 640, "scale": 1}, 50)

    def straighten(self):
        self.run("scan.pdf", "-o", "whole/", "--pages", "4")
        self.browser.open("about:blank")
        (self.folder / "curved").mkdir(exist_ok=True)
        data = self.browser.devtools(
            "Runtime.evaluate", expression=f"({CURVED})({json.dumps(address(self.pages('whole')[0]))})", awaitPromise=True,
            returnByValue=True)["result"]["value"]
        (self.folder / "curved/0001.png").write_bytes(base64.b64decode(data.split(",")[1]))
        self.run("curved/", "-o", "flat/", "--flatten", "--deskew")
        before, after = self.pages("curved")[0], self.pages("flat")[0]
        self.shoot("straighten", figure(before, "before", width=420, tall=300) + '<div class="arrow">→</div>'
                   + figure(after, "--flatten --deskew", width=420, tall=300))

    def stamp(self):
        self.run("comic.pdf", "-o", "comic/", "--pages", "2")
        stamped(self.pages("comic")[0], self.folder / "stamped.pdf")
        self.run("stamped.pdf", "-o", "with/")
        self.run("stamped.pdf", "-o", "without/", "--no-stamps", "--uncover")
        before, after = self.pages("with")[0], self.pages("without")[0]
        self.shoot("stamp", figure(before, "with the stamp", width=400, tall=330) + '<div class="arrow">→</div>'
                   + figure(after, "--no-stamps --uncover", width=400, tall=330))

    def webtoon(self):
        self.run("comic.pdf", "-o", "comic/")
        self.run("comic.pdf", "-o", "strip.png", "--fit", "240x")
        pages = "".join(figure(path, str(number), height=170) for number, path in enumerate(self.pages("comic"), 1))
        strip = figure(self.folder / "strip.png", "strip.png", height=640)
        self.shoot("strip", '<div style="display:grid;grid-template-columns:auto auto;gap:14px;align-self:center">'
                   f'{pages}</div><div class="arrow">→</div>{strip}')


def stamped(picture, path):
    """Writes a PDF of one JPEG under the stamp of a library."""
    jpeg = picture.read_bytes()
    place, size = 2, None
    while size is None:
        length = int.from_bytes(jpeg[place + 2:place + 4], "big")
        if 0xC0 <= jpeg[place + 1] <= 0xC2:
            size = int.from_bytes(jpeg[place + 7:place + 9], "big"), int.from_bytes(jpeg[place + 5:place + 7], "big")
        place += 2 + length
    width, height = size[0] * .3, size[1] * .3
    content = (
        f"q {width:.2f} 0 0 {height:.2f} 0 0 cm /I Do Q .75 .1 .1 rg .75 .1 .1 RG 2 w "
        f"q .97 .2 -.2 .97 {width * .3:.0f} {height * .84:.0f} cm -8 -12 152 34 re S "
        "BT /F 18 Tf 0 0 Td (LIBRARY COPY) Tj ET Q").encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width:.2f} {height:.2f}]/Contents 4 0 R"
        "/Resources<</Font<</F 5 0 R>>/XObject<</I 6 0 R>>>>>>".encode(),
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>",
        f"<</Type/XObject/Subtype/Image/Width {size[0]}/Height {size[1]}/ColorSpace/DeviceRGB/BitsPerComponent 8"
        f"/Filter/DCTDecode/Length {len(jpeg)}>>stream\n".encode() + jpeg + b"\nendstream",
    ]
    body, table = b"%PDF-1.4\n", b"0000000000 65535 f \n"
    for number, text in enumerate(objects, 1):
        table += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj%s\nendobj\n" % (number, text)
    end = b"xref\n0 %d\n%strailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n"
    path.write_bytes(body + end % (len(objects) + 1, table, len(objects) + 1, len(body)))
