// SPDX-License-Identifier: Apache-2.0

import Testing

/// Tests that set the one authenticator of the process, or need that nobody has: one after another.
@Suite(.serialized) enum GlobalAuthenticatorTests {}
