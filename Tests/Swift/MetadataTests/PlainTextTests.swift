import Metadata
import Testing

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("  a \t b \r\n\n\n\nc\u{1}\n ", "a b\n\nc"), ("a\nb", "a\nb"), ("<p>a</p>", "<p>a</p>"), (" \n\u{2}", nil),
    ])
    func linesStayAndWhiteSpaceGoes(_ text: String, _ clean: String?) {
        #expect(PlainText.clean(text) == clean)
    }

    /// Texts written by calibre or pasted from a shop; and texts that only look like HTML.
    @Test(arguments: [
        (
            "<div>\n<p>A <b>bold</b>\nman.</p><p class=\"x\">B&nbsp;&amp; C&#8217;s &#x201C;d&#x201D;</p></div>",
            "A bold man.\n\nB & C’s “d”"
        ),
        ("one<br/>two<BR>three", "one\ntwo\nthree"), ("<ul><li>a<li>b</ul>", "a\nb"), ("<p></p>", nil),
        ("a < b > c & d &amp; <3 <unknown>", "a < b > c & d &amp; <3 <unknown>"), ("ends in <p", "ends in <p"),
        ("<style>p{}</style><p title=\"x > y\">a</p><script>b</script>", "a"),
        (
            "<p>&eacute;t&eacute; <font color=\"red\">f</font> <table><tr><td>c</td><td>d</td></tr></table>",
            "été f\n\nc d"
        ),
        ("<i>x</i> &bogus; &", "x &bogus; &"), ("line\nline", "line\nline"), ("<", "<"), ("</", "</"),
        ("a <i>b</i>\r\n\r\nc\u{B}", "a b\n\nc"),
    ])
    func marksOfHTMLAreTakenOff(_ text: String, _ clean: String?) {
        #expect(PlainText.clean(perhapsHTML: text) == clean)
    }

    /// Text that other programs may mistake for HTML is escaped as HTML if necessary.
    @Test(arguments: [
        "Unit <S> meets <B>. If a<b and c>d, who wins?\n\nSecond & <last>", "Rated <p> for people.\nSecond line",
        "&lt;p&gt; stays", "plain & simple\nlines",
    ])
    func textResemblingHTMLRoundTrips(_ text: String) {
        let written = PlainText.perhapsHTML(text)
        #expect(PlainText.clean(perhapsHTML: written) == text)
        #expect((written == text) == !text.contains("<"))
    }
}
