#!/usr/bin/env bash
# Opens what jisui writes in other people's readers, and looks at what they show.
#
# Usage: look.sh JISUI FOLDER   (screenshots and look.tsv go into FOLDER)
#
# Needs mcomix, evince, okular with okular-extra-backends, calibre, xvfb, xdotool, imagemagick, libjxl-tools and dbus; for
# pages in WebP webp-pixbuf-loader and qt5-image-formats-plugins. The pages have a colour each, and a number for whoever
# looks at the screenshots: what fills most of the screen tells which page is shown, before and after it is turned. A
# reader that is missing is passed over, and that is said.
set -u
jisui=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
work=$(mktemp -d)
export HOME=$work/home XDG_RUNTIME_DIR=$work/run LC_ALL=C.UTF-8 NO_AT_BRIDGE=1 GTK_A11Y=none
export QTWEBENGINE_DISABLE_SANDBOX=1 QTWEBENGINE_CHROMIUM_FLAGS=--no-sandbox
mkdir -p "$HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$XDG_RUNTIME_DIR"

convert=$(PATH=/usr/bin:$PATH command -v convert)
colors=(red lime blue yellow)

# Four pages, 600 by 900, in a format: the numbers are where the middle is not.
pages() { # FOLDER FORMAT
    mkdir -p "$1"
    for number in 1 2 3 4; do
        "$convert" -size 600x900 "xc:${colors[number - 1]}" -gravity north -pointsize 200 -annotate +0+20 "$number" \
            -depth 8 "png24:$work/page.png"
        case $2 in
        jpg) "$convert" "$work/page.png" -quality 95 "$1/$number.jpg" ;;
        jxl) cjxl -d 1 "$work/page.png" "$1/$number.jxl" > /dev/null 2>&1 ;;
        *) "$convert" "$work/page.png" "$1/$number.$2" 2> /dev/null ;;
        esac
    done
}

books() {
    local format archive
    for format in jpg png webp avif jxl; do pages "$work/$format" "$format"; done
    # What few readers show, and jisui leaves as it is.
    for format in avif jxl; do
        ls "$work/$format"/* > /dev/null 2>&1 && "$jisui" "$work/$format" -o "$work/$format.cbz" --quiet
    done
    for archive in cbz cb7 cbt; do
        "$jisui" "$work/jpg" -o "$work/jpeg.$archive" --quiet
        "$jisui" "$work/png" -o "$work/png.$archive" --quiet
        "$jisui" "$work/webp" -o "$work/webp.$archive" --quiet
        "$jisui" "$work/jpg" -o "$work/漫画 第１巻 \"é\".$archive" --quiet
        "$jisui" "$work/jpg" -o "$work/rtl.$archive" --direction rtl --quiet
    done
    # A reader that cannot show a book may go on to whatever folder is next to it.
    rm -rf "$work"/{jpg,png,webp,avif,jxl,page.png}
}

# The number of the page that fills most of a screenshot; "none" where no page fills a tenth of it.
shown() { # SCREENSHOT
    "$convert" "$1" -filter point -resize '100x100!' -depth 8 txt:- | awk '
        /^[0-9]/ {
            split($0, part, "[()]"); split(part[2], c, ",")
            r = c[1] > 128; g = c[2] > 128; b = c[3] > 128
            far = 0
            for (i = 1; i <= 3; i++) if (c[i] > 40 && c[i] < 215) far = 1
            if (far) next
            if (r && !g && !b) n[1]++; else if (!r && g && !b) n[2]++
            else if (!r && !g && b) n[3]++; else if (r && g && !b) n[4]++
        }
        END {
            best = "none"; most = 1000
            for (i = 1; i <= 4; i++) if (n[i] > most) { most = n[i]; best = i }
            print best
        }'
}

# Makes the reader's window fill the screen, and has it hear the keys.
focus() {
    local window
    for window in $(xdotool search --onlyvisible --name . 2> /dev/null); do
        xdotool windowmove "$window" 0 0 windowsize "$window" 1280 1000 windowfocus "$window" 2> /dev/null
    done
}

# Takes screenshots until one shows a page, or for twenty seconds.
await() { # SCREENSHOT PAGE
    local page=none
    for _ in $(seq 40); do
        focus
        import -silent -window root "$1" 2> /dev/null && page=$(shown "$1")
        if [ "$page" = "$2" ]; then break; fi
        sleep 0.5
    done
    echo "$page"
}

look() { # READER FILE KEY
    local name first second reader=$1
    name=$reader-$(basename "$2" | tr -d '" ')
    # Every book is new to the reader: one that remembers opens where it was left.
    rm -rf "$HOME" "$work/shelf"
    mkdir -p "$HOME" "$work/shelf"
    # Alone in its folder: at the end of a book some readers go on to the next.
    cp "$2" "$work/shelf/"
    # A group of processes of its own, so that all of them can be ended.
    setsid dbus-run-session -- "${command[@]}" "$work/shelf/$(basename "$2")" > "$out/$name.log" 2>&1 &
    local session=$!
    first=$(await "$out/$name-1.png" 1)
    xdotool key --clearmodifiers "$3"
    second=$(await "$out/$name-2.png" 2)
    kill -KILL -- "-$session" 2> /dev/null
    wait "$session" 2> /dev/null
    printf '%s\t%s\topens at %s\tturns to %s\n' "$reader" "$(basename "$2")" "$first" "$second" |
        tee -a "$out/look.tsv"
}

books
: > "$out/look.tsv"
Xvfb -noreset -displayfd 3 -screen 0 1280x1000x24 -nolisten tcp 3> "$work/display" > "$out/xvfb.log" 2>&1 &
server=$!
trap 'kill $server 2> /dev/null; rm -rf "$work"' EXIT
until [ -s "$work/display" ]; do sleep 0.2; done
DISPLAY=:$(cat "$work/display")
export DISPLAY

for reader in ${READERS:-mcomix evince okular}; do
    if ! command -v "$reader" > /dev/null; then
        echo "$reader is not here" | tee -a "$out/look.tsv"
        continue
    fi
    command=("$reader")
    key=Next
    case $reader in
    okular) key=Right ;;
    esac
    for book in "$work"/*.cb?; do look "$reader" "$book" "$key"; done
done

if command -v ebook-convert > /dev/null; then
    for book in "$work"/*.cbz "$work"/jpeg.cb?; do
        name=$(basename "$book")
        title=$(ebook-meta "$book" 2> /dev/null | sed -n 's/^Title *: //p')
        ebook-convert "$book" "$work/book.epub" > "$out/calibre-$name.log" 2>&1
        count=$(unzip -Z1 "$work/book.epub" 2> /dev/null | grep -Ec '^[0-9]+_[0-9]+\.(png|jpe?g)$')
        rm -f "$work/book.epub"
        printf 'calibre\t%s\ttitle "%s"\t%s pictures in the EPUB\n' "$name" "$title" "$count" | tee -a "$out/look.tsv"
    done
fi
