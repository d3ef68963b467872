import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A spec of Ginkgo, or a test of Go that is not a Ginkgo suite. */
export interface Spec {
  readonly title: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** Why it failed. */
  readonly message: string
}

export interface SuiteResult {
  readonly specs: readonly Spec[]
  /** Everything that the run wrote, to look at where no spec ran. */
  readonly output: string
}

interface GoTestEvent {
  readonly Action: string
  readonly Test?: string
  readonly Output?: string
}

interface GinkgoReport {
  readonly SuiteDescription: string
  readonly SpecReports:
    | readonly {
        readonly LeafNodeType: string
        readonly ContainerHierarchyTexts: readonly string[] | null
        readonly LeafNodeText: string
        readonly State: string
        readonly Failure?: { readonly Message: string }
      }[]
    | null
}

/** Runs the tests of one package, and reports the result of each spec. */
export async function runSuite(
  folder: string,
  suite: string,
  environment: Readonly<Record<string, string>>,
): Promise<SuiteResult> {
  const report = join(folder, suite, 'ginkgo-report.json')
  // A package without Ginkgo refuses its flags.
  const entries = ginkgoEntries(folder, suite)
  const args = ['test', '-json', '-count=1', '-timeout=20m', `./${suite}`]
  const { KUBECONFIG: _, ...inherited } = process.env
  const child = spawn('go', entries.size > 0 ? [...args, `--ginkgo.json-report=${report}`] : args, {
    cwd: folder,
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve, reject) => child.on('error', reject).on('close', () => resolve()))
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const results = new Map<string, string>()
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('{')) {
      output += `${line}\n`
      continue
    }
    const event = JSON.parse(line) as GoTestEvent
    if (event.Output !== undefined) output += event.Output
    if (event.Test !== undefined && ['pass', 'fail', 'skip'].includes(event.Action)) {
      results.set(event.Test, event.Action)
    }
  }
  await ended
  const reports = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as GinkgoReport[]) : []
  const specs = reports.flatMap(specsOf)
  return { specs: [...specs, ...plainTests(results, entries)], output }
}

/** The tests of Go that run a Ginkgo suite. */
function ginkgoEntries(folder: string, suite: string): ReadonlySet<string> {
  const source = globSync('*_test.go', { cwd: join(folder, suite) }).map((file) =>
    readFileSync(join(folder, suite, file), 'utf8'),
  )
  const entries = source.flatMap((text) => [...text.matchAll(/^func (Test\w+)\([^{]*\{[^}]*RunSpecs\(/gm)])
  return new Set(entries.map(([, name]) => name!))
}

function specsOf({ SpecReports }: GinkgoReport): Spec[] {
  return (SpecReports ?? [])
    .filter(({ LeafNodeType, State }) => LeafNodeType === 'It' || State === 'failed' || State === 'panicked')
    .map(({ LeafNodeType, ContainerHierarchyTexts, LeafNodeText, State, Failure }) => ({
      title: [...(ContainerHierarchyTexts ?? []), LeafNodeText || LeafNodeType].join(' '),
      state:
        State === 'passed' ? 'passed' : State === 'skipped' || State === 'pending' ? 'skipped' : 'failed',
      message: Failure?.Message ?? '',
    }))
}

/** Tests of Go beside a Ginkgo suite; the test that runs the suite counts by its specs. */
function plainTests(results: ReadonlyMap<string, string>, entries: ReadonlySet<string>): Spec[] {
  return [...results]
    .filter(([title]) => !entries.has(title))
    .map(([title, action]) => ({
      title,
      state: action === 'pass' ? 'passed' : action === 'skip' ? 'skipped' : 'failed',
      message: '',
    }))
}
