extension JPEGCode {
    /// Returns the code with more symbols, which get its longest words.
    ///
    /// If it has no room, its last words shorter than 16 bits become as long.
    ///
    /// - Parameters:
    ///   - more: symbols without a word.
    ///   - kept: the length in bits up to which no word changes.
    /// - Returns: nil if the room is not enough, or a file cannot state the code.
    func adding(_ more: [UInt8], keeping kept: Int) -> JPEGCode? {
        guard !more.isEmpty else { return self }
        let longest = JPEGCode.maximumBits
        var counts = [Int](repeating: 0, count: longest)
        for word in words { counts[word.length - 1] += 1 }
        // The code of ones stays free.
        var room = (1 << longest) - 1
        for word in words { room -= 1 << (longest - word.length) }
        var shorter = words.count - counts[longest - 1]
        while room < more.count {
            guard shorter > 0, words[shorter - 1].length > kept else { return nil }
            shorter -= 1
            let length = words[shorter].length
            counts[length - 1] -= 1
            counts[longest - 1] += 1
            room += 1 << (longest - length) - 1
        }
        counts[longest - 1] += more.count
        // A file states the number of words of a length in a byte.
        guard counts[longest - 1] <= UInt8.max else { return nil }
        // In this order the words that were the longest before stay, unless others became as long.
        return JPEGCode(counts: counts, symbols: words.map { UInt8($0.symbol) } + more)
    }
}
