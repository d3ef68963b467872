/** The labels of a series, in the order of their names. */
export type Labels = readonly (readonly [name: string, value: string])[]

type MetricType = 'counter' | 'gauge' | 'histogram'

/** The media type of Prometheus' text format, version 0.0.4. */
export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores'

/** A document in the text format of Prometheus, one family after the other. */
export class Exposition {
  readonly #families = new Map<string, string[]>()

  /** Begins a family of series. The returned function writes a series of the family. */
  family(
    name: string,
    type: MetricType,
    help: string,
  ): (suffix: string, labels: Labels, value: number) => void {
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
    this.#families.set(name, lines)
    return (suffix, labels, value) => {
      lines.push(`${name}${suffix}${labelText(labels)} ${number(value)}`)
    }
  }

  /** The families that have series, by name. */
  text(): string {
    const names = [...this.#families.keys()].sort()
    const lines = names.flatMap((name) => this.#families.get(name) ?? []).filter(isUsed)
    return `${lines.join('\n')}\n`
  }
}

/** Whether a line belongs to a family with series. A family without series has only two lines of comment. */
function isUsed(line: string, index: number, lines: readonly string[]): boolean {
  if (!line.startsWith('#')) return true
  const first = lines[line.startsWith('# HELP') ? index + 2 : index + 1]
  return first !== undefined && !first.startsWith('#')
}

function labelText(labels: Labels): string {
  if (labels.length === 0) return ''
  return `{${labels.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`
}

function escaped(value: string): string {
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
}

/** A number as Go writes it: from a million on, and below a ten-thousandth, with an exponent of at least two digits. */
export function number(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  if (value === 0 || !Number.isFinite(value)) return String(value)
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}
