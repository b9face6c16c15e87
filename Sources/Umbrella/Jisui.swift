// One import for a program that converts books: `import Jisui`.

@_exported public import AdapterKit
@_exported public import Audit
@_exported public import Conversion
@_exported public import Files
@_exported public import PageModel
@_exported public import Work
