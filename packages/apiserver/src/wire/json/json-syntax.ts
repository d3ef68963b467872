/** How deep Go reads objects and lists. */
const DEPTH_LIMIT = 10_000

const WHITESPACE: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d])
const ESCAPES = new Set(Array.from('bfnrt\\/"', (char) => char.charCodeAt(0)))

/** Why bytes are not JSON, as the message of Go's reader; undefined where they are. Does not recurse. */
export function jsonSyntaxProblem(bytes: Uint8Array): string | undefined {
  try {
    new SyntaxCheck(bytes).check()
    return undefined
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.message
    throw error
  }
}

class SyntaxProblem extends Error {}

class SyntaxCheck {
  readonly #bytes: Uint8Array
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  check(): void {
    /** For each object or list that is open: the byte that closes it. */
    const open: number[] = []
    let context: Context = 'value'
    for (;;) {
      this.#skipWhitespace()
      const byte = this.#bytes[this.#position]
      if (byte === undefined) {
        if (context === 'end') return
        throw this.#refuse('')
      }
      if (context === 'value' || context === 'value or ]') {
        if (byte === 0x5b || byte === 0x7b) {
          if (open.length >= DEPTH_LIMIT) throw this.#refuse('exceeded max depth')
          open.push(byte + 2)
          this.#position++
          context = byte === 0x5b ? 'value or ]' : 'key or }'
          continue
        }
        if (context === 'value or ]' && byte === 0x5d) {
          open.pop()
          this.#position++
        } else this.#scalar(byte)
        context = after(open)
      } else if (context === 'key' || context === 'key or }') {
        if (byte === 0x22) {
          this.#string()
          context = 'colon'
        } else if (context === 'key or }' && byte === 0x7d) {
          open.pop()
          this.#position++
          context = after(open)
        } else throw this.#refuse('looking for beginning of object key string')
      } else if (context === 'colon') {
        if (byte !== 0x3a) throw this.#refuse('after object key')
        this.#position++
        context = 'value'
      } else if (context === 'end') {
        throw this.#refuse('after top-level value')
      } else {
        const closing = open.at(-1)!
        if (byte === 0x2c) context = closing === 0x7d ? 'key' : 'value'
        else if (byte === closing) {
          open.pop()
          context = after(open)
        } else throw this.#refuse(closing === 0x7d ? 'after object key:value pair' : 'after array element')
        this.#position++
      }
    }
  }

  #scalar(byte: number): void {
    if (byte === 0x22) this.#string()
    else if (byte === 0x2d || isDigit(byte)) this.#number()
    else if (byte === 0x74) this.#literal('true')
    else if (byte === 0x66) this.#literal('false')
    else if (byte === 0x6e) this.#literal('null')
    else throw this.#refuse('looking for beginning of value')
  }

  #string(): void {
    for (;;) {
      this.#position++
      const byte = this.#bytes[this.#position]
      if (byte === undefined || byte < 0x20) throw this.#refuse('in string literal')
      if (byte === 0x22) break
      if (byte !== 0x5c) continue
      this.#position++
      const escape = this.#bytes[this.#position]
      if (escape === 0x75) {
        for (let digits = 0; digits < 4; digits++) {
          this.#position++
          if (!isHex(this.#bytes[this.#position]))
            throw this.#refuse(String.raw`in \u hexadecimal character escape`)
        }
      } else if (escape === undefined || !ESCAPES.has(escape)) throw this.#refuse('in string escape code')
    }
    this.#position++
  }

  #number(): void {
    if (this.#bytes[this.#position] === 0x2d) this.#position++
    if (this.#bytes[this.#position] === 0x30) this.#position++
    else this.#digits('in numeric literal')
    if (this.#bytes[this.#position] === 0x2e) {
      this.#position++
      this.#digits('after decimal point in numeric literal')
    }
    const exponent = this.#bytes[this.#position]
    if (exponent !== 0x65 && exponent !== 0x45) return
    this.#position++
    const sign = this.#bytes[this.#position]
    if (sign === 0x2b || sign === 0x2d) this.#position++
    this.#digits('in exponent of numeric literal')
  }

  #digits(where: string): void {
    if (!isDigit(this.#bytes[this.#position])) throw this.#refuse(where)
    while (isDigit(this.#bytes[this.#position])) this.#position++
  }

  #literal(word: string): void {
    for (let index = 1; index < word.length; index++) {
      this.#position++
      if (this.#bytes[this.#position] !== word.charCodeAt(index)) {
        throw this.#refuse(`in literal ${word} (expecting '${word[index]}')`)
      }
    }
    this.#position++
  }

  #skipWhitespace(): void {
    while (WHITESPACE.has(this.#bytes[this.#position])) this.#position++
  }

  #refuse(where: string): SyntaxProblem {
    const byte = this.#bytes[this.#position]
    if (byte === undefined) {
      // At the end Go reads a space, which is a mistake inside of a word, a number or an escape.
      const isInside = where !== 'in string literal' && /^(in|after decimal point) /.test(where)
      return new SyntaxProblem(isInside ? `invalid character ' ' ${where}` : 'unexpected end of JSON input')
    }
    return new SyntaxProblem(`invalid character ${quoted(byte)} ${where}`)
  }
}

type Context = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'end'

function after(open: readonly number[]): Context {
  return open.length === 0 ? 'end' : 'comma'
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function isHex(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
}

const NAMED: Readonly<Record<number, string>> = {
  7: String.raw`\a`,
  8: String.raw`\b`,
  9: String.raw`\t`,
  10: String.raw`\n`,
  11: String.raw`\v`,
  12: String.raw`\f`,
  13: String.raw`\r`,
  39: String.raw`\'`,
  92: String.raw`\\`,
}

/** A byte as Go shows it: as the character with that number. */
function quoted(byte: number): string {
  const named = NAMED[byte]
  if (named) return `'${named}'`
  if (byte < 0x20 || byte === 0x7f) return `'${String.raw`\x`}${byte.toString(16).padStart(2, '0')}'`
  if ((byte >= 0x80 && byte < 0xa1) || byte === 0xad) return `'${String.raw`\u00`}${byte.toString(16)}'`
  return `'${String.fromCharCode(byte)}'`
}
