// Package cache keeps answers that are the same for everyone of an audience: in this process, and in Redis behind it
// for several replicas. A key holds the versions of everything that the answer can show, as the request itself read
// them first, so that a change is seen by the very next request without anything being taken back; what was filled
// while a change came in between is not kept. One miss computes once for all who wait for it. Whatever fails here
// costs time, never an answer (docs/caching.md).
package cache
