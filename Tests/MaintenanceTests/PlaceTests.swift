import Testing

@Suite struct MaintenanceTests {
}
