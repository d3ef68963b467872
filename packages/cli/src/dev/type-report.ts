/** The most errors of one compilation that are shown. */
const MOST = 6

/** Shortens what a watching compiler prints: the first errors of each compilation, and how many more there are. */
export class TypeReport {
  readonly #say: (line: string) => void
  #lines: string[] = []
  /** The errors of the last compilation; undefined before the first one. */
  #last: string | undefined

  constructor(say: (line: string) => void) {
    this.#say = say
  }

  /** Reads a line of the compiler. */
  addLine(line: string): void {
    const count = /\bFound (\d+) errors?\b/.exec(line)?.[1]
    if (count !== undefined) this.#tell(Number(count))
    else if (/\berror TS\d+/.test(line) || /^\s+\S/.test(line)) this.#lines.push(line)
  }

  /** Call it when the compiler ended: its last lines may say why. */
  end(): void {
    if (this.#lines.length > 0) this.#tell(this.#lines.filter(isError).length)
  }

  #tell(count: number): void {
    const lines = this.#lines
    const text = lines.join('\n')
    this.#lines = []
    if (count === 0) {
      // The compiler also looks again when a file changes that is not part of the program, such as a log.
      if (this.#last !== '') this.#say('no errors')
    } else if (text === this.#last) this.#say(count === 1 ? 'the same error' : `the same ${count} errors`)
    else {
      let errors = 0
      for (const line of lines) {
        if (isError(line)) errors++
        if (errors <= MOST) this.#say(line)
      }
      if (count > MOST) this.#say(`and ${count - MOST} more: npx tsc --noEmit prints all`)
    }
    this.#last = text
  }
}

/** Whether an error begins with this line. Indented lines explain the error before them. */
function isError(line: string): boolean {
  return !/^\s/.test(line)
}
