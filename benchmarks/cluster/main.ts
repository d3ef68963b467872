/** Measures the local cluster: `npm run bench cluster -- --help`. What the numbers mean is in `../README.md`. */
import { cpus, loadavg } from 'node:os'
import { markdownTable } from '../markdown-table.ts'
import { publish, runBenchmark } from '../run-benchmark.ts'
import { installCluster } from './install.ts'
import { measurements, type Finding } from './measure.ts'
import { HELP, readOptions, type Options } from './options.ts'

await runBenchmark({ help: HELP, readOptions, run })

async function run(options: Options, signal: AbortSignal): Promise<void> {
  const date = new Date().toISOString()
  using installed = await installCluster(signal)
  const findings: (Finding & { readonly load: number })[] = []
  for (const name of options.only) {
    console.log(`Measuring ${name} …`)
    const load = loadavg()[0] ?? 0
    const finding = await measurements[name](installed.program, options, signal)
    console.log(`  ${finding.what}: ${text(finding)}`)
    findings.push({ ...finding, load })
  }
  const page = report(date, findings)
  const results = { date, options, findings }
  await publish('cluster', page, results, options.out)
  if (!findings.every(met)) process.exitCode = 1
}

function report(date: string, findings: readonly (Finding & { readonly load: number })[]): string {
  const lines = [
    '# The local cluster',
    '',
    `${date}. ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}. The client shares the machine.`,
    '',
    ...markdownTable(
      ['', 'measured', 'aim', '', 'load before', 'note'],
      findings.map((finding) => [
        finding.what,
        text(finding),
        `< ${finding.below} ${finding.unit}`,
        met(finding) ? 'met' : 'not met',
        finding.load.toFixed(1),
        finding.note ?? '',
      ]),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function met({ value, below }: Finding): boolean {
  return value < below
}

function text({ value, unit }: Finding): string {
  return `${unit === 'ms' || unit === 'MB' ? value.toFixed(0) : value.toFixed(2)} ${unit}`
}
