import Testing

@testable import SecurityCommand

@Suite struct SecurityCommandTests {
}
