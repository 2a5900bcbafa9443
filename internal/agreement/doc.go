// Package agreement holds the tests that every surface of the gateway joins: whatever way a caller takes
// to an asset, they see the same identity and the same verdict as by any other way and as any other
// caller, and itemized data exactly where the suite ladder grants it (docs/visibility.md). It has no code
// of its own beside the tests.
package agreement
