import type { Component } from '../openapi/native-documents.ts'
import { documentEntry } from './gnostic.ts'
import { componentOf } from './swagger-schema.ts'

/** The three lists of an OpenAPI v2 document. */
export type SwaggerList = 'path' | 'definition' | 'parameter'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * An encoded path, definition or parameter with its name. A document consists of entries, so that after a change of
 * one custom kind only the entries of that kind are encoded.
 */
export class SwaggerEntry {
  readonly list: SwaggerList
  readonly name: string
  /** Name and value in JSON. */
  readonly json: Uint8Array<ArrayBuffer>
  #protobuf: Uint8Array | undefined

  constructor(list: SwaggerList, name: string, value: Component) {
    this.list = list
    this.name = name
    this.json = encoder.encode(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
  }

  /** Whether the entry was written in protobuf already. */
  get hasProtobuf(): boolean {
    return this.#protobuf !== undefined
  }

  /** Name and value in protobuf, encoded on first use: many clients request only JSON. */
  get protobuf(): Uint8Array {
    if (this.#protobuf === undefined) {
      const named: unknown = JSON.parse(`{${decoder.decode(this.json)}}`)
      const [value] = Object.values(componentOf(named))
      this.#protobuf = documentEntry(this.list, this.name, componentOf(value))
    }
    return this.#protobuf
  }
}
