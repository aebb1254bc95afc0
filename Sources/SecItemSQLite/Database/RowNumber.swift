// SPDX-License-Identifier: Apache-2.0

extension Database {
    /// The number of a new row: one more than the greatest, so that numbers increase with time.
    ///
    /// Anyone who can write the file could add a row with the greatest possible number. Then it is the first number that is
    /// free, so that adds go on.
    func nextRowNumber() throws -> Int64 {
        let greatest = try number("SELECT max(id) FROM item")
        if greatest < .max { return max(greatest, 0) + 1 }
        let free = try number(
            """
            SELECT min(i.id) + 1 FROM item AS i LEFT JOIN item AS j ON j.id = i.id + 1
            WHERE i.id BETWEEN 0 AND 9223372036854775806 AND j.id IS NULL
            """)
        return max(free, 1)
    }
}
