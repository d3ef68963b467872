/** The part of an error that its length depends on. */
interface ErrorText {
  readonly field: string
  readonly message: string
}

/** The longest text of the errors in an answer, in characters; the answer has it twice. */
const MOST_TEXT = 768 * 1024

/** The errors of an object, up to the limit of an answer. A check can stop when the list is full. */
export class ErrorList<Problem extends ErrorText> {
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

  /** Removes all errors after the first `length`. */
  cut(length: number): void {
    for (const error of this.errors.splice(length)) this.#text -= textOf(error)
  }
}

/** The first of the errors: those that an answer lists. */
export function listed<Problem extends ErrorText>(errors: readonly Problem[]): readonly Problem[] {
  let text = 0
  for (const [index, error] of errors.entries()) {
    if (text > MOST_TEXT) return errors.slice(0, index)
    text += textOf(error)
  }
  return errors
}

function textOf({ field, message }: ErrorText): number {
  return field.length + message.length
}
