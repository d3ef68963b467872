// Compares how our API server and a real one treat the definitions and samples of well-known projects. Run by `npm test crds`.
import { parseArgs } from 'node:util'
import { HomeostatError } from '@homeostat/api'
import { ComparedProject, prepare, type Comparison } from '../test/crds/compared-project.ts'
import { startOurs, startReal } from '../test/crds/compared-servers.ts'
import { listed } from '../test/crds/known-differences.ts'
import { readManifests } from '../test/crds/manifests.ts'
import { moduleFolder } from '../test/crds/module-folder.ts'
import { PROJECTS, type Project } from '../test/crds/projects.ts'
import { signature } from '../test/fuzz/answer-differences.ts'
import { KUBERNETES_VERSION } from '../test/kubernetes/binaries.ts'
import { Progress } from './kubernetes/progress.ts'

const HELP = `Usage: npm test crds -- [options]

Takes the CustomResourceDefinitions of ${PROJECTS.length} projects and the sample objects beside them from their Go modules, and sends them
to our API server and to a real kube-apiserver ${KUBERNETES_VERSION} ("npm run kubernetes" builds it). Compares acceptance, causes and
warnings, what is stored, defaulted and pruned, tables, discovery, OpenAPI and "kubectl explain". Ends with 1 when an answer
differs in a way that test/crds/known-differences.ts does not list. Needs Go, which keeps the modules in its own cache.

Options:
  --only <text>     only projects whose name holds this text
  --samples <n>     how many samples of each project at most (200)
  --show <n>        how many examples of each sort of difference are shown (1)
  --no-explain      without "kubectl explain", which takes most of the time
  --help`

const { values } = parseArgs({
  allowNegative: true,
  options: {
    explain: { type: 'boolean', default: true },
    only: { type: 'string', default: '' },
    samples: { type: 'string', default: '200' },
    show: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h' },
  },
})

interface Row {
  readonly project: string
  definitions: number
  samples: number
  checks: number
  equal: number
  listed: number
  unlisted: number
  skipped: ReadonlyMap<string, number>
}

class Report {
  readonly rows: Row[] = []
  readonly #sorts = new Map<string, { times: number; examples: string[] }>()
  readonly #reasons = new Map<string, number>()

  add(row: Row, comparison: Comparison): void {
    row.checks++
    const reasons = listed(comparison)
    for (const reason of new Set(reasons)) {
      if (reason !== undefined) this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
    }
    const lines = comparison.lines.filter((_, index) => reasons[index] === undefined)
    if (lines.length > 0) row.unlisted++
    else if (comparison.lines.length > 0) row.listed++
    else row.equal++
    if (lines.length === 0) return
    const sort = signature(lines)
    const known = this.#sorts.get(sort) ?? { times: 0, examples: [] }
    this.#sorts.set(sort, known)
    known.times++
    if (known.examples.length >= Number(values.show)) return
    const title = `${row.project}, ${comparison.subject} ${comparison.kind} (${comparison.place})`
    const example = [title, ...lines.map((line) => `  ${line.slice(0, 700)}`)].join('\n    ')
    known.examples.push(example)
    console.log(`✗ ${example}`)
  }

  get failed(): boolean {
    return this.#sorts.size > 0
  }

  print(): void {
    const head = ['project', 'CRDs', 'samples', 'checks', 'equal', 'listed', 'unlisted', 'skipped']
    const cells = this.rows.map((row) => cellsOf(row))
    const sum = (key: 'definitions' | 'samples' | 'checks' | 'equal' | 'listed' | 'unlisted'): string =>
      String(this.rows.reduce((total, row) => total + row[key], 0))
    const total = [
      'all',
      sum('definitions'),
      sum('samples'),
      sum('checks'),
      sum('equal'),
      sum('listed'),
      sum('unlisted'),
      '',
    ]
    console.log(`\n${table([head, ...cells, total])}`)
    for (const [reason, times] of this.#reasons) console.log(`listed ${times}: ${reason}`)
    const sorts = [...this.#sorts.values()].sort((a, b) => b.times - a.times)
    for (const { times, examples } of sorts) console.log(`\n${times} × ${examples[0]}`)
  }
}

function cellsOf(row: Row): string[] {
  const numbers = [row.definitions, row.samples, row.checks, row.equal, row.listed, row.unlisted].map(String)
  const skipped = [...row.skipped].map(([reason, times]) => `${times} ${reason}`).join(', ')
  return [row.project, ...numbers, skipped]
}

function table(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 || column === row.length - 1
            ? cell.padEnd(column === 0 ? (widths[0] ?? 0) : 0)
            : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}

async function main(): Promise<void> {
  if (values.help) return console.log(HELP)
  const limit = Number(values.samples)
  if (!Number.isInteger(limit) || limit < 0) {
    throw new HomeostatError(
      'CRDS_NO_NUMBER',
      `--samples must be a whole number from 0, not ${values.samples}`,
    )
  }
  const only = values.only.toLowerCase()
  const projects = PROJECTS.filter(({ name }) => name.toLowerCase().includes(only))
  if (projects.length === 0) {
    throw new HomeostatError(
      'CRDS_NO_PROJECT',
      `no project of test/crds/projects.ts has “${values.only}” in its name`,
    )
  }
  console.log(`starting a kube-apiserver ${KUBERNETES_VERSION} and ours`)
  const since = Date.now() - 5000
  await using real = await startReal()
  await using ours = await startOurs()
  await Promise.all([prepare(ours), prepare(real)])
  const report = new Report()
  const options = { ours, real, since, limit, explains: values.explain }
  for (const project of projects) {
    try {
      await compare(project, report, options)
    } catch (error) {
      if (!(error instanceof HomeostatError)) throw error
      console.log(`✗ ${project.name}: ${error.message}`)
      process.exitCode = 1
    }
  }
  report.print()
  if (report.failed) process.exitCode = 1
}

async function compare(
  { name, module }: Project,
  report: Report,
  options: Omit<ConstructorParameters<typeof ComparedProject>[1], 'onProgress'>,
): Promise<void> {
  const progress = new Progress(name)
  try {
    const manifests = readManifests(await moduleFolder(module))
    const row: Row = {
      project: name,
      definitions: manifests.definitions.length,
      samples: 0,
      checks: 0,
      equal: 0,
      listed: 0,
      unlisted: 0,
      skipped: manifests.skipped,
    }
    report.rows.push(row)
    const compared = new ComparedProject(manifests, { ...options, onProgress: (text) => progress.say(text) })
    for await (const comparison of compared.compare()) {
      if (comparison.subject === 'sample') row.samples++
      report.add(row, comparison)
    }
    row.skipped = compared.skipped
    progress.done()
    console.log(`  ${cellsOf(row).slice(1, 7).join(' ')} (CRDs, samples, checks, equal, listed, unlisted)`)
  } finally {
    progress.stop()
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof HomeostatError ? error.message : error)
  process.exitCode = 1
}
