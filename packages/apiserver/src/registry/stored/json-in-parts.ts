import { isObject } from '../../schema/index.ts'
import type { InParts } from '../../work/index.ts'

/** How many characters are written in one turn of the event loop. */
const LONG = 64 * 1024

/** An object as `JSON.stringify` writes it, in parts: between its fields, and between those of its metadata. */
export function* jsonInParts(object: object): InParts<string> {
  const fields: string[] = []
  let length = 0
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    const text = name === 'metadata' && isObject(value) ? yield* jsonInParts(value) : JSON.stringify(value)
    fields.push(`${JSON.stringify(name)}:${text}`)
    if ((length += text.length) < LONG) continue
    length = 0
    yield
  }
  return `{${fields.join(',')}}`
}
