import Testing

@Suite struct GitCredentialTests {
}
