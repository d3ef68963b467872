/** The last second that was written, since most times asked for are now. */
let latest = { second: Number.NaN, text: '' }

/** A time in the format of `metav1.Time`: RFC 3339 in UTC, in whole seconds. */
export function timestamp(millisecondsSinceEpoch: number): string {
  const second = Math.floor(millisecondsSinceEpoch / 1000)
  if (second !== latest.second) {
    latest = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` }
  }
  return latest.text
}

/** A time in the format of `metav1.MicroTime`: RFC 3339 in UTC, with microseconds. */
export function microTimestamp(millisecondsSinceEpoch: number): string {
  return `${new Date(millisecondsSinceEpoch).toISOString().slice(0, 23)}000Z`
}
