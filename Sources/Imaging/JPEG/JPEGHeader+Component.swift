extension JPEGHeader {
    /// One colour component as the frame header declares it.
    public struct Component: Hashable, Sendable {
        public var id: Int
        /// The sampling factors across and down, 1 to 4.
        public var horizontal: Int
        public var vertical: Int
        /// The number of its quantisation table, 0 to 3.
        public var quantisationTable: Int

        public init(id: Int, horizontal: Int, vertical: Int, quantisationTable: Int) {
            self.id = id
            self.horizontal = horizontal
            self.vertical = vertical
            self.quantisationTable = quantisationTable
        }
    }
}
