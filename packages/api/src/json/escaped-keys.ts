import { setKey, type JsonObject } from './json-value.ts'

/** A key of one character that is written as an escape. The pattern may also match a part of a text. */
const ESCAPED_KEY = /"\\(?:["\\/bfnrt]|u[\da-fA-F]{4})"\s*:/

/**
 * Whether `JSON.parse` may read a key of this text wrongly. V8 12 and later have a bug: if the process once
 * read an object with the key `\`, they read a key of one escaped character in the same place, such as
 * `"\n"`, as a backslash. So one request could change how another one is read.
 */
export function hasEscapedKey(text: string): boolean {
  // Most texts have no backslash, and looking for one character is much faster than looking for two.
  return text.includes('\\') && text.includes('"\\') && ESCAPED_KEY.test(text)
}

/** Like `JSON.parse`, but reads every key as it is written. */
export function parseWithKeys(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return hasEscapedKey(text) ? readByKey(text, JSON.parse) : value
}

/**
 * Parses JSON object by object, so that every key is read correctly. `scalar` reads single values. The text must be
 * one that `JSON.parse` accepts, and not nested so deep that a recursion would fail.
 */
export function readByKey(text: string, scalar: (text: string) => unknown): unknown {
  return new Reader(text, scalar).value()
}

const SPACE = /[ \n\r\t]*/y
const STRING = /"(?:[^"\\]|\\.)*"/y
const SCALAR = /[^\s,\]}]*/y

class Reader {
  readonly #text: string
  readonly #scalar: (text: string) => unknown
  #position = 0

  constructor(text: string, scalar: (text: string) => unknown) {
    this.#text = text
    this.#scalar = scalar
  }

  value(): unknown {
    switch (this.#next()) {
      case '{':
        return this.#object()
      case '[':
        return this.#list()
      case '"':
        return this.#scalar(this.#take(STRING))
      default:
        return this.#scalar(this.#take(SCALAR))
    }
  }

  #object(): JsonObject {
    const object: JsonObject = {}
    this.#position++
    while (this.#next() !== '}') {
      if (this.#text[this.#position] === ',') this.#position++
      this.#next()
      const key = JSON.parse(this.#take(STRING)) as string
      this.#next()
      this.#position++
      setKey(object, key, this.value())
    }
    this.#position++
    return object
  }

  #list(): unknown[] {
    const list: unknown[] = []
    this.#position++
    while (this.#next() !== ']') {
      if (this.#text[this.#position] === ',') this.#position++
      list.push(this.value())
    }
    this.#position++
    return list
  }

  /** Goes to the next character that is not a space. */
  #next(): string {
    this.#take(SPACE)
    return this.#text[this.#position] ?? ''
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#position
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#position += found.length
    return found
  }
}
