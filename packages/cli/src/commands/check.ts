import { nearestName } from '@homeostat/api'
import type { CheckProgress, CheckReport, FindingClass } from '@homeostat/check'
import type { Command, CommandCall, CommandIo } from '../command/index.ts'
import { usageError } from '../command/index.ts'
import { loadOperator, operatorOption } from '../project/index.ts'

export const check: Command = {
  name: 'check',
  summary: 'finds the ways in which the operator does not converge, without a test',
  description:
    'Plays the samples of the operator in this process, with crashes, failing requests, stale caches, edits by others, spec changes and deletion, and prints the shortest story of each way in which the operator does not converge. Ends with 1 when it finds one. Ctrl-C prints what was found so far.',
  options: {
    operator: operatorOption,
    only: {
      type: 'string',
      value: 'CLASS',
      multiple: true,
      description: 'look for this class of findings only, such as crash or history',
    },
    json: { type: 'boolean', description: 'print the report as JSON' },
  },
  examples: [
    ['check', 'everything'],
    ['check --only=crash --only=left-behind', 'two classes'],
    ['check --json > report.json', 'for a program'],
  ],
  async run({ values, io }: CommandCall): Promise<number> {
    const checker = await import('@homeostat/check')
    const only = classesOf(values['only'] as readonly string[] | undefined, Object.keys(checker.CLASSES))
    const { source } = await loadOperator(io.cwd, values['operator'] as string | undefined)
    const report = await whileInterruptible((signal) =>
      checker.check(source, { only, signal, onProgress: (progress) => showProgress(io, progress) }),
    )
    if (io.isTerminal) io.err(CLEAR_LINE)
    io.out(values['json'] ? `${JSON.stringify(report, undefined, 2)}\n` : checker.textReport(report))
    return report.findings.length > 0 ? 1 : 0
  },
}

const CLEAR_LINE = '\r\u001B[K'

function classesOf(
  given: readonly string[] | undefined,
  known: readonly string[],
): readonly FindingClass[] | undefined {
  for (const name of given ?? []) {
    if (known.includes(name)) continue
    const nearest = nearestName(name, known)
    throw usageError(
      `there is no class ${name}${nearest ? `: did you mean ${nearest}?` : `: there are ${known.join(', ')}`}`,
    )
  }
  return given as readonly FindingClass[] | undefined
}

/** One line that is written over, and only where a person sees it. */
function showProgress(io: CommandIo, { runs, class: looked, findings }: CheckProgress): void {
  if (io.isTerminal) io.err(`${CLEAR_LINE}${runs} runs, ${findings} findings, now: ${looked}`)
}

/** Runs a check that Ctrl-C ends early, with what was found so far. */
async function whileInterruptible(run: (signal: AbortSignal) => Promise<CheckReport>): Promise<CheckReport> {
  const abort = new AbortController()
  const interrupt = (): void => abort.abort()
  process.once('SIGINT', interrupt)
  try {
    return await run(abort.signal)
  } finally {
    process.off('SIGINT', interrupt)
  }
}
