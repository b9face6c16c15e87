/// What names an indirect object: the same in every lane that has the file open.
struct PDFReference: Hashable, Sendable {
    let number: CInt
    let generation: CInt
}
