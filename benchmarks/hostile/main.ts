/** Tries to stop a local cluster: `npm run bench hostile -- --help`. What the numbers mean is in `../README.md`. */
import { cpus } from 'node:os'
import { installCluster } from '../cluster/install.ts'
import { markdownTable } from '../markdown-table.ts'
import { publish, runBenchmark } from '../run-benchmark.ts'
import type { HostileCase } from './hostile-case.ts'
import { measureCase, type Finding } from './measure-case.ts'
import { HELP, readOptions, type Options } from './options.ts'
import { podCases } from './pod-cases.ts'
import { reconcilerCases } from './reconciler-cases.ts'
import { requestCases } from './request-cases.ts'

/** The largest answer that is allowed: what a request may have. */
const LARGEST_ANSWER = 3 * 1024 ** 2
const cases: readonly HostileCase[] = [...podCases, ...requestCases, ...reconcilerCases]

await runBenchmark({ help: HELP, readOptions, run })

async function run(options: Options, signal: AbortSignal): Promise<void> {
  const date = new Date().toISOString()
  const chosen = cases.filter(
    ({ group, title }) => options.only.includes(group) && title.includes(options.match),
  )
  if (chosen.length === 0) throw new Error(`no case has ${JSON.stringify(options.match)} in its title`)
  using installed = await installCluster(signal)
  const findings: Finding[] = []
  for (const hostile of chosen) {
    const finding = await measureCase(installed.program, hostile, options.seconds, signal)
    console.log(`${text(finding.silence).padStart(9)}  ${finding.group}: ${finding.title} (${finding.note})`)
    findings.push(finding)
  }
  const page = report(date, findings, options.limit)
  const results = { date, options, findings }
  await publish('hostile', page, results, options.out)
  if (!findings.every((finding) => met(finding, options.limit))) process.exitCode = 1
}

function report(date: string, findings: readonly Finding[], limit: number): string {
  const longest = Math.max(...findings.map(({ silence }) => silence))
  const largest = Math.max(0, ...findings.map(({ answer }) => answer ?? 0))
  const lines = [
    '# Hostile Pods, requests and reconcilers',
    '',
    `${date}. ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.versions.node}. The prober shares the machine.`,
    '',
    `The longest silence: ${text(longest)} of at most ${text(limit)}. The largest answer: ${size(largest)} of at most ${size(LARGEST_ANSWER)}.`,
    '',
    ...markdownTable(
      ['', 'longest silence', '', 'prober late by', 'largest answer', 'memory', 'load before', 'note'],
      findings.map((finding) => [
        `${finding.group}: ${finding.title}`,
        text(finding.silence),
        met(finding, limit) ? 'met' : 'not met',
        text(finding.late),
        finding.answer === undefined ? '' : size(finding.answer),
        `${finding.memory.toFixed(0)} MB`,
        finding.load.toFixed(1),
        finding.note,
      ]),
    ),
  ]
  return `${lines.join('\n')}\n`
}

function met({ silence, answer = 0, note }: Finding, limit: number): boolean {
  return silence <= limit && answer <= LARGEST_ANSWER && !note.startsWith('FAILED')
}

function text(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`
}

function size(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`
}
