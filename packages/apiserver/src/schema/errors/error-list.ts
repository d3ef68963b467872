/** What counts of an error here. */
interface Shown {
  readonly field: string
  readonly message: string
}

/** How much text an answer lists of what is wrong with an object, in characters: it stands there twice. */
const MOST_TEXT = 768 * 1024

/**
 * What is wrong with an object, up to what an answer lists. A check that finds the list full can end: the answer has no
 * room for what else it finds.
 */
export class ErrorList<Problem extends Shown> {
  readonly errors: Problem[] = []
  #text = 0

  get length(): number {
    return this.errors.length
  }

  get full(): boolean {
    return this.#text > MOST_TEXT
  }

  push(error: Problem): void {
    this.errors.push(error)
    this.#text += textOf(error)
  }

  pushAll(errors: Iterable<Problem>): void {
    for (const error of errors) {
      if (this.full) return
      this.push(error)
    }
  }

  /** Takes back all but the first. */
  cut(length: number): void {
    while (this.errors.length > length) this.#text -= textOf(this.errors.pop()!)
  }
}

/** The first of the errors: those that an answer lists. */
export function listed<Problem extends Shown>(errors: readonly Problem[]): readonly Problem[] {
  let text = 0
  for (let index = 0; index < errors.length; index++) {
    if (text > MOST_TEXT) return errors.slice(0, index)
    text += textOf(errors[index]!)
  }
  return errors
}

function textOf({ field, message }: Shown): number {
  return field.length + message.length
}
