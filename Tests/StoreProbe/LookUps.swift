import Foundation
import SecItemSQLite
import SecItemStore

/// Looks one secret up again and again, and says how many microseconds of this process's own time each took: the least of
/// some rounds, as other processes only ever add to it.
func timeLookUps(_ store: SQLiteStore, _ count: Int) throws {
    for number in 0..<100 {
        try store.insert(record("\(number)", Data("a secret of an ordinary length".utf8)), interaction: .allowed)
    }
    var least = Double.infinity
    for _ in 0..<20 {
        let start = clock()
        for number in 0..<count / 20 {
            guard try find(store, "\(number % 100)").count == 1 else { return failure("an item is missing") }
        }
        least = min(least, Double(clock() - start) / Double(count / 20))
    }
    say("\(least) microseconds")
}
