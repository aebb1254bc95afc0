/// What keeping a keychain needs, over any store.
package enum Maintenance {}
