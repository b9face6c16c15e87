/// What the rows of a strip, or of a slice of it, go into.
protocol StripTarget: AnyObject {
    /// Takes the next rows.
    func append(_ piece: StripPiece) async throws

    /// Ends what was begun, once all rows are there.
    func finish() async throws
}
