import { markdownTable } from '../markdown-table.ts'
import type { Measurement } from './measure-peer.ts'
import type { Options } from './options.ts'
import { median } from './statistics.ts'

/** The measurements of one peer, in all rounds. */
export interface Row {
  readonly name: string
  readonly title: string
  readonly rounds: readonly Measurement[]
  /** Why there are no numbers. */
  readonly leftOut?: string | undefined
}

/** All that a run found out. */
export interface Findings {
  readonly date: string
  readonly machine: { readonly processor: string; readonly cores: number; readonly memoryBytes: number }
  /** How many processes wanted to run, on average over a minute, before it began and when it ended. */
  readonly load: { readonly before: number; readonly after: number }
  readonly versions: Readonly<Record<string, string>>
  readonly options: Pick<Options, 'objects' | 'rounds' | 'idleSeconds' | 'updateSeconds' | 'updatesPerSecond'>
  readonly objectBytes: number
  readonly rows: readonly Row[]
}

interface Column {
  readonly title: string
  readonly field: keyof Measurement
  readonly format: (value: number) => string
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
const seconds = (value: number) => `${value.toFixed(2)} s`
const milliseconds = (value: number) => `${value.toFixed(2)} ms`

const columns: readonly Column[] = [
  { title: 'time', field: 'seconds', format: seconds },
  { title: 'CPU', field: 'cpuSeconds', format: seconds },
  { title: 'memory', field: 'residentBytes', format: megabytes },
  { title: 'memory, idle', field: 'idleResidentBytes', format: megabytes },
  { title: 'peak memory', field: 'peakResidentBytes', format: megabytes },
  { title: 'latency p50', field: 'latencyP50', format: milliseconds },
  { title: 'latency p99', field: 'latencyP99', format: milliseconds },
  { title: 'write p50', field: 'writeP50', format: milliseconds },
  { title: 'CPU an update', field: 'cpuMillisecondsPerUpdate', format: milliseconds },
  { title: 'load', field: 'load', format: (value) => value.toFixed(1) },
]

/** Those that say something of the peer itself, not of what it ran on. */
const comparable = columns.filter(({ field }) => field !== 'writeP50' && field !== 'load')

/** The share of Go's result that ours must reach. */
const AIMS: readonly { field: keyof Measurement; what: string; most: number }[] = [
  { field: 'seconds', what: 'time', most: 0.6 },
  { field: 'cpuSeconds', what: 'CPU', most: 0.45 },
  { field: 'residentBytes', what: 'memory', most: 0.75 },
  { field: 'latencyP99', what: 'latency p99', most: 1.25 },
  { field: 'cpuMillisecondsPerUpdate', what: 'CPU an update', most: 0.8 },
]

/** The findings as a page of Markdown, which also reads well in a terminal. */
export function report(findings: Findings): string {
  const { machine, options, load, rows } = findings
  const measured = rows.filter((row) => row.rounds.length > 0)
  const go = measured.find((row) => row.name === 'go')
  const ours = measured.find((row) => row.name === 'ours')
  const lines = [
    `# Controllers side by side: ${options.objects.toLocaleString('en')} objects`,
    '',
    `${findings.date}. ${machine.cores} cores (${machine.processor}), ${Math.round(machine.memoryBytes / 2 ** 30)} GiB of memory; ` +
      `load average ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after. ` +
      `Objects of ${findings.objectBytes.toLocaleString('en')} bytes as served. ` +
      `Median of ${options.rounds} ${options.rounds === 1 ? 'round' : 'rounds'}. ` +
      `Memory again after ${options.idleSeconds} s idle; ${options.updatesPerSecond} updates a second for ${options.updateSeconds} s.`,
    '',
    Object.entries(findings.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    '',
    ...markdownTable(
      ['', ...columns.map((column) => column.title)],
      measured.map((row) => [row.title, ...columns.map((column) => cell(row, column))]),
    ),
  ]
  if (go) {
    lines.push(
      '',
      'As a share of Go:',
      '',
      ...markdownTable(
        ['', ...comparable.map((column) => column.title)],
        measured.map((row) => [
          row.title,
          ...comparable.map((column) => share(row, go, column.field) ?? '–'),
        ]),
      ),
    )
  }
  if (go && ours) {
    lines.push(
      '',
      ...markdownTable(
        ['aim for ours', 'at most, of Go', 'measured', ''],
        AIMS.map(({ field, what, most }) => {
          const measured = ratio(ours, go, field)
          const verdict = measured === undefined ? '' : measured <= most ? 'met' : 'not met'
          return [what, most.toFixed(2), measured?.toFixed(2) ?? '–', verdict]
        }),
      ),
    )
  }
  const notes = [...missedUpdates(measured), ...rows.filter((row) => row.leftOut).map(leftOut)]
  if (notes.length > 0) lines.push('', ...notes.map((note) => `- ${note}`))
  return `${lines.join('\n')}\n`
}

function cell(row: Row, { field, format }: Column): string {
  const value = middle(row, field)
  return value === undefined ? '–' : format(value)
}

function share(row: Row, go: Row, field: keyof Measurement): string | undefined {
  return ratio(row, go, field)?.toFixed(2)
}

function ratio(row: Row, go: Row, field: keyof Measurement): number | undefined {
  const [value, base] = [middle(row, field), middle(go, field)]
  return value === undefined || base === undefined ? undefined : value / base
}

function middle(row: Row, field: keyof Measurement): number | undefined {
  return median(row.rounds.map((round) => round[field]).filter((value) => value !== undefined))
}

function missedUpdates(rows: readonly Row[]): string[] {
  return rows.flatMap((row) =>
    row.rounds
      .filter(({ updatesSeen = 0, updatesSent = 0 }) => updatesSeen < updatesSent)
      .map(
        ({ updatesSeen, updatesSent }) =>
          `${row.title} ran a reconcile for ${updatesSeen} of ${updatesSent} updates in one round.`,
      ),
  )
}

function leftOut(row: Row): string {
  return `${row.title} ${row.rounds.length > 0 ? 'failed in some rounds' : 'was left out'}: ${row.leftOut}.`
}
