/** An object that a server in this process keeps. Its value is frozen. The server may parse it again for each access. */
export interface KeptObject {
  readonly value: object
  readonly json: Uint8Array
}

/** A line of a watch about an object that a server in this process keeps. */
export interface KeptEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly kept: KeptObject
}

/**
 * JSON as bytes that also hold the frozen value which they encode. A server gives them to a reader in the same
 * process, which need not parse them. A transport that passes on the bytes also passes on the value. A part or a copy
 * of the bytes does not hold the value.
 */
export class ValueBytes extends Uint8Array<ArrayBufferLike> {
  #value: object | undefined
  #events: readonly KeptEvent[] | undefined

  /** The same bytes with the document that they encode. */
  static encoding(bytes: Uint8Array, value: object): ValueBytes {
    const held = new ValueBytes(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    held.#value = value
    return held
  }

  /** The same bytes with the whole lines of a watch that they encode. */
  static encodingEvents(bytes: Uint8Array, events: readonly KeptEvent[]): ValueBytes {
    const held = new ValueBytes(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    held.#events = events
    return held
  }

  /** The document that some bytes encode; undefined where they must be parsed. */
  static valueIn(bytes: Uint8Array): object | undefined {
    return bytes instanceof ValueBytes ? bytes.#value : undefined
  }

  /** The lines of a watch that some bytes encode; undefined where they must be parsed. */
  static eventsIn(bytes: Uint8Array): readonly KeptEvent[] | undefined {
    return bytes instanceof ValueBytes ? bytes.#events : undefined
  }
}
