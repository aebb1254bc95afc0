// SPDX-License-Identifier: Apache-2.0

import ProcessKeychain
import Testing

/// The parent of all wrapper suites. The store that the keychain calls use belongs to the whole process, so the tests
/// run one after another.
@Suite(.serialized, .processKeychain) enum WrapperTests {}
