/** Where the parts of an object's text are that are wanted before the rest is parsed. */
export class ScannedObject {
  /** One past its last byte. */
  end = 0
  name = EMPTY
  namespace = EMPTY
  uid = EMPTY
  resourceVersion = EMPTY
  /** The values of `fieldsV1`, as pairs of start and end. */
  readonly fields: number[] = []
}

/** The first byte of a text and one past its last. */
export type Span = readonly [start: number, end: number]

const EMPTY: Span = [0, 0]
const [QUOTE, BACKSLASH, COLON, COMMA] = [34, 92, 58, 44]
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93]
const METADATA = bytesOf('metadata')
const NAME = bytesOf('name')
const NAMESPACE = bytesOf('namespace')
const UID = bytesOf('uid')
const RESOURCE_VERSION = bytesOf('resourceVersion')
const MANAGED_FIELDS = bytesOf('managedFields')
const FIELDS = bytesOf('fieldsV1')

/**
 * Finds in the JSON text of an object, which begins at `start`, its end and its identity, without parsing
 * it. It knows JSON as API servers write it, without white space: `undefined` for anything else, which a
 * parser then has to decide. What breaks off has no end, so it is never taken for whole.
 */
export function scanObject(bytes: Uint8Array, start: number): ScannedObject | undefined {
  const found = new ScannedObject()
  const end = eachEntry(bytes, start, (keyStart, keyEnd, value) =>
    isText(bytes, keyStart, keyEnd, METADATA) ? scanMetadata(bytes, value, found) : skipValue(bytes, value),
  )
  if (end < 0 || found.name === EMPTY || found.uid === EMPTY || found.resourceVersion === EMPTY)
    return undefined
  found.end = end
  return found
}

/** Whether these bytes stand there. */
export function isText(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  if (end - start !== text.length) return false
  for (let index = 0; index < text.length; index++) {
    if (bytes[start + index] !== text[index]) return false
  }
  return true
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function scanMetadata(bytes: Uint8Array, start: number, found: ScannedObject): number {
  return eachEntry(bytes, start, (keyStart, keyEnd, value) => {
    switch (keyEnd - keyStart) {
      case UID.length:
        if (isText(bytes, keyStart, keyEnd, UID)) return plainText(bytes, value, (span) => (found.uid = span))
        break
      case NAME.length:
        if (isText(bytes, keyStart, keyEnd, NAME))
          return plainText(bytes, value, (span) => (found.name = span))
        break
      case NAMESPACE.length:
        if (isText(bytes, keyStart, keyEnd, NAMESPACE))
          return plainText(bytes, value, (span) => (found.namespace = span))
        break
      case RESOURCE_VERSION.length:
        if (isText(bytes, keyStart, keyEnd, RESOURCE_VERSION))
          return plainText(bytes, value, (span) => (found.resourceVersion = span))
        break
      case MANAGED_FIELDS.length:
        if (isText(bytes, keyStart, keyEnd, MANAGED_FIELDS)) return scanManagers(bytes, value, found.fields)
        break
    }
    return skipValue(bytes, value)
  })
}

function scanManagers(bytes: Uint8Array, start: number, fields: number[]): number {
  if (bytes[start] !== OPEN_LIST) return skipValue(bytes, start)
  let at = start + 1
  while (bytes[at] === OPEN) {
    at = eachEntry(bytes, at, (keyStart, keyEnd, value) => {
      const end = skipValue(bytes, value)
      if (end > 0 && isText(bytes, keyStart, keyEnd, FIELDS)) fields.push(value, end)
      return end
    })
    if (at < 0) return -1
    if (bytes[at] === COMMA) at++
  }
  return bytes[at] === CLOSE_LIST ? at + 1 : -1
}

/**
 * Goes through the entries of an object. `entry` gets where the key and the value are, and gives where the
 * value ends; -1 stands for what cannot be understood.
 */
function eachEntry(
  bytes: Uint8Array,
  start: number,
  entry: (keyStart: number, keyEnd: number, value: number) => number,
): number {
  if (bytes[start] !== OPEN) return -1
  let at = start + 1
  if (bytes[at] === CLOSE) return at + 1
  for (;;) {
    if (bytes[at] !== QUOTE) return -1
    const keyEnd = skipString(bytes, at)
    if (keyEnd < 0 || bytes[keyEnd] !== COLON) return -1
    at = entry(at + 1, keyEnd - 1, keyEnd + 1)
    if (at < 0) return -1
    if (bytes[at] === CLOSE) return at + 1
    if (bytes[at] !== COMMA) return -1
    at++
  }
}

/** A string without escapes, which is read as it stands. */
function plainText(bytes: Uint8Array, start: number, take: (span: Span) => void): number {
  if (bytes[start] !== QUOTE) return -1
  const end = skipString(bytes, start)
  if (end < 0) return -1
  for (let at = start + 1; at < end - 1; at++) if (bytes[at] === BACKSLASH) return -1
  take([start + 1, end - 1])
  return end
}

/** One past the string's closing quote. */
function skipString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at++
  }
  return -1
}

/** One past the value's last byte. */
function skipValue(bytes: Uint8Array, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = skipString(bytes, at) - 1
      if (at < 0) return -1
      if (depth === 0) return at + 1
    } else if (byte === OPEN || byte === OPEN_LIST) depth++
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      // The end of what the value stands in: it was a number or a word.
      if (depth === 0) return at > start ? at : -1
      if (--depth === 0) return at + 1
    } else if (byte === COMMA && depth === 0) return at > start ? at : -1
  }
  return -1
}
