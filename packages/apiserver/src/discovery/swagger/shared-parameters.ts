import { isJsonObject } from '@homeostat/api'
import type { Component } from '../openapi/native-documents.ts'

const encoder = new TextEncoder()
/** Parameters that clients look for at each operation. */
const UNSHARED = new Set(['name', 'dryRun', 'fieldValidation'])
/** FNV-1 of 64 bits. */
const OFFSET = 0xcbf29ce484222325n
const PRIME = 0x100000001b3n
const MASK = 0xffffffffffffffffn

/** The parameters that operations of many kinds share. The document has each once, and operations refer to it. */
export class SharedParameters {
  /** The names of parameters, by their content. */
  readonly #names = new Map<string, string>()
  readonly #parameters = new Map<string, Component>()

  /** All parameters so far, by the names under which operations refer to them. */
  get all(): ReadonlyMap<string, Component> {
    return this.#parameters
  }

  /** The parameter of an operation: a reference, or the parameter itself where only one kind has it. */
  refer(parameter: Component): Component {
    if (!isShared(parameter)) return parameter
    const text = JSON.stringify(parameter)
    let name = this.#names.get(text)
    if (name === undefined) {
      // Kubernetes' own names, which tools may refer to.
      name = `${String(parameter['name'])}-${hash(asGoWrites(text))}`
      this.#names.set(text, name)
      this.#parameters.set(name, parameter)
    }
    return { $ref: `#/parameters/${name}` }
  }
}

function isShared({ name, in: place, schema }: Component): boolean {
  if (place !== 'body') return !UNSHARED.has(String(name))
  const reference = isJsonObject(schema) ? schema['$ref'] : undefined
  return typeof reference === 'string' && reference.startsWith('#/definitions/io.k8s.apimachinery')
}

/** Go escapes the special characters of HTML. */
function asGoWrites(json: string): string {
  return json.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
}

/** Eight characters: base64 of the first six bytes of the hash. */
function hash(text: string): string {
  let value = OFFSET
  for (const byte of encoder.encode(text)) value = ((value * PRIME) & MASK) ^ BigInt(byte)
  const bytes = Array.from({ length: 6 }, (_, index) => Number((value >> BigInt(56 - 8 * index)) & 0xffn))
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}
