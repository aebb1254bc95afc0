import Testing

@Suite struct SecurityCommandTests {
}
