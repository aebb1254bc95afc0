// SPDX-License-Identifier: Apache-2.0

import Testing

/// The parent of all suites of wrappers. The store that the keychain calls use belongs to the process, so that tests
/// run one after the other.
@Suite(.serialized) enum WrapperTests {}
