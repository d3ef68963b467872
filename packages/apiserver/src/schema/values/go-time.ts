/** The layouts in which Kubernetes reads times. */
export const TIME_LAYOUT = '2006-01-02T15:04:05Z07:00'
export const MICRO_TIME_LAYOUT = '2006-01-02T15:04:05.000000Z07:00'

/** A time in the form that Kubernetes itself writes, of a day that every month has. Nearly every time is one. */
const USUAL_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{6})?Z$/

/** Why a text is not a time of a layout, in the words of Go's time package; undefined where it is one. */
export function timeProblem(text: string, layout: string): string | undefined {
  const usual = USUAL_TIME.exec(text)
  if (usual && (layout === TIME_LAYOUT || usual[1] !== undefined)) return undefined
  const reading = new Reading(text, layout)
  const { year, month, day } = reading.date()
  if (reading.problem !== undefined) return reading.problem
  if (day < 1 || day > daysIn(year, month)) return `parsing time ${quoted(text)}: day out of range`
  return undefined
}

/** Reads a text element by element, as the layout says. The first problem ends it. */
class Reading {
  problem: string | undefined
  readonly #text: string
  readonly #layout: string
  #rest: string

  constructor(text: string, layout: string) {
    this.#text = text
    this.#layout = layout
    this.#rest = text
  }

  date(): { year: number; month: number; day: number } {
    const year = this.#number('2006', /^\d{4}/)
    this.#literal('-')
    const month = this.#number('01', /^\d\d/, [1, 12, 'month'])
    this.#literal('-')
    const day = this.#number('02', /^\d\d/)
    this.#literal('T')
    this.#number('15', /^\d\d?/, [0, 23, 'hour'])
    this.#literal(':')
    this.#number('04', /^\d\d/, [0, 59, 'minute'])
    this.#literal(':')
    this.#number('05', /^\d\d/, [0, 59, 'second'])
    if (this.#layout === MICRO_TIME_LAYOUT) this.#take('.000000', /^[.,]\d{6}/)
    else this.#rest = this.#rest.replace(/^[.,]\d+/, '')
    this.#zone()
    if (this.problem === undefined && this.#rest !== '') {
      this.problem = `parsing time ${quoted(this.#text)}: extra text: ${quoted(this.#rest)}`
    }
    return { year, month, day }
  }

  #zone(): void {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1)
      return
    }
    const found = this.#take('Z07:00', /^[+-]\d\d:\d\d/)
    if (Number(found.slice(1, 3)) > 24) this.#outOfRange('time zone offset hour')
    if (Number(found.slice(4, 6)) > 60) this.#outOfRange('time zone offset minute')
  }

  #literal(text: string): void {
    if (this.problem !== undefined) return
    if (this.#rest.startsWith(text)) this.#rest = this.#rest.slice(text.length)
    else this.#refuse(text)
  }

  #number(
    element: string,
    pattern: RegExp,
    range?: readonly [low: number, high: number, name: string],
  ): number {
    const found = Number(this.#take(element, pattern))
    if (range && this.problem === undefined && (found < range[0] || found > range[1])) {
      this.#outOfRange(range[2])
    }
    return found
  }

  #take(element: string, pattern: RegExp): string {
    if (this.problem !== undefined) return ''
    const [found] = pattern.exec(this.#rest) ?? []
    if (found === undefined) {
      this.#refuse(element)
      return ''
    }
    this.#rest = this.#rest.slice(found.length)
    return found
  }

  #outOfRange(name: string): void {
    this.problem ??= `parsing time ${quoted(this.#text)}: ${name} out of range`
  }

  #refuse(element: string): void {
    this.problem ??= `parsing time ${quoted(this.#text)} as ${quoted(this.#layout)}: cannot parse ${quoted(this.#rest)} as ${quoted(element)}`
  }
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const encoder = new TextEncoder()

/** A text in quotes; all that is not printable ASCII is shown byte by byte. */
function quoted(text: string): string {
  let out = '"'
  for (const char of text) {
    if (char === '"' || char === '\\') out += `\\${char}`
    else if (char >= ' ' && char < '\u007f') out += char
    else for (const byte of encoder.encode(char)) out += `\\x${byte.toString(16).padStart(2, '0')}`
  }
  return `${out}"`
}
