/** The fields of a document of gnostic that are lists of named messages. */
const LISTS: Readonly<Record<number, string>> = { 8: 'paths', 9: 'definitions', 10: 'parameters' }

/** The bytes of each path, definition and parameter of a document, by list and name: `definitions io.k8s.…`. */
export function gnosticEntries(document: Uint8Array): Map<string, Uint8Array> {
  const entries = new Map<string, Uint8Array>()
  for (const { number, bytes } of fields(document)) {
    const list = LISTS[number]
    if (list === undefined) continue
    for (const { bytes: entry } of fields(bytes)) {
      const name = fields(entry).find((field) => field.number === 1)
      entries.set(`${list} ${new TextDecoder().decode(name?.bytes)}`, entry)
    }
  }
  return entries
}

/** The fields with a length of one message. */
function fields(message: Uint8Array): { number: number; bytes: Uint8Array }[] {
  const found: { number: number; bytes: Uint8Array }[] = []
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++]!
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const number = Math.floor(tag / 8)
    if (tag % 8 === 0) varint()
    else if (tag % 8 === 1) at += 8
    else {
      const length = varint()
      found.push({ number, bytes: message.subarray(at, at + length) })
      at += length
    }
  }
  return found
}
