// SPDX-License-Identifier: Apache-2.0

import Foundation

// What a program costs that does next to nothing: what Foundation takes to start, and a dictionary and some bytes that cross
// its bridges, as every query's do.

let query = ["service": "benchmark", "data": true] as [String: Any] as NSDictionary
exit((query["service"] as? String)?.count == 9 && NSData(data: Data(count: 16)).length == 16 ? 0 : 1)
