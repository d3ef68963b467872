import { HomeostatError } from '@homeostat/api'

/** The labels that identify a series of a metric: `{ controller: 'at' }`. */
export type Labels = Readonly<Record<string, string | number>>

/** Reports the values of a metric when the page is requested. */
export type Collect = (report: (value: number, labels?: Labels) => void) => void

interface Series {
  readonly labels: Labels
  value: number
}

const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const SPECIAL = /[\\"\n]/
const NO_LABELS: Labels = {}

/** The series of one counter or gauge. */
export class Family {
  readonly #name: string
  readonly #series = new Map<string, Series>()
  readonly #collects = new Set<Collect>()

  constructor(name: string) {
    this.#name = name
  }

  /** The series with these labels, created with 0 if it does not exist: for callers that change it often. */
  with(labels: Labels = NO_LABELS): Series {
    const text = labelText(this.#name, labels)
    let series = this.#series.get(text)
    if (!series) {
      series = { labels: { ...labels }, value: 0 }
      this.#series.set(text, series)
    }
    return series
  }

  set(value: number, labels?: Labels): void {
    this.with(labels).value = value
  }

  add(amount = 1, labels?: Labels): void {
    this.with(labels).value += amount
  }

  remove(labels: Labels): void {
    for (const [text, series] of this.#series)
      if (seriesHasLabels(series.labels, labels)) this.#series.delete(text)
  }

  collect(collect: Collect): Disposable {
    this.#collects.add(collect)
    return { [Symbol.dispose]: () => void this.#collects.delete(collect) }
  }

  *lines(): Generator<string> {
    const values = new Map<string, number>()
    for (const [text, { value }] of this.#series) values.set(text, value)
    for (const collect of this.#collects) {
      collect((value, labels) => values.set(labelText(this.#name, labels ?? NO_LABELS), value))
    }
    for (const [text, value] of values) yield `${this.#name}${text} ${formatValue(value)}`
  }
}

/** Whether the series has at least these labels. */
export function seriesHasLabels(series: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => String(series[name]) === String(value))
}

/** `{controller="at",result="error"}`, by name; empty without labels. */
export function labelText(metric: string, labels: Labels): string {
  const names = Object.keys(labels)
  if (names.length === 0) return ''
  let text = ''
  for (const name of names.sort()) {
    if (!LABEL.test(name)) {
      throw new HomeostatError(
        'METRIC_LABEL_INVALID',
        `${JSON.stringify(name)} is not a valid label for the metric ${metric}: use letters, digits and _, not starting with a digit`,
      )
    }
    text += `${text === '' ? '{' : ','}${name}="${escaped(String(labels[name]))}"`
  }
  return `${text}}`
}

/** A number as the text form writes it. */
export function formatValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}

function escaped(value: string): string {
  return SPECIAL.test(value) ? value.replace(/[\\"\n]/g, escape) : value
}

function escape(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`
}
