/** A time as `metav1.Time` is written: RFC 3339 in UTC, whole seconds. */
export function timestamp(millisecondsSinceEpoch: number): string {
  return `${new Date(millisecondsSinceEpoch).toISOString().slice(0, 19)}Z`
}

/** A time as `metav1.MicroTime` is written: RFC 3339 in UTC, six digits of a second. */
export function microTimestamp(millisecondsSinceEpoch: number): string {
  return `${new Date(millisecondsSinceEpoch).toISOString().slice(0, 23)}000Z`
}
