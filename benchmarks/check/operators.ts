import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { corpus } from '../../test/check/corpus/corpus.ts'
import type { CorpusOperator } from '../../test/check/corpus/corpus-operator.ts'
import { isKnownGap, judge, type Judgement } from '../../test/check/corpus/judge.ts'
import { markdownTable } from '../markdown-table.ts'

/** How long one check may take. On a busy machine it takes many times its CPU time, and one that is cut off finds less. */
const LONGEST = 900_000

interface Row extends Judgement {
  readonly folder: string
  readonly entry: CorpusOperator
}

/**
 * Checks every operator of `test/check/corpus`, and prints class by class what was found, how long it took and how long the
 * stories are. Returns the titles whose entry in the list of known gaps is no longer true.
 */
export async function printOperators(): Promise<string[]> {
  const load = loadavg()[0] ?? 0
  const rows: Row[] = []
  for (const [folder, operators] of chosen()) {
    for (const entry of operators) {
      const judgement = await judge(entry, { signal: AbortSignal.timeout(LONGEST) })
      rows.push({ folder, entry, ...judgement })
      const cells = cellsOf({ folder, entry, ...judgement })
      process.stderr.write(`${cells.join(' | ')}\n`)
    }
  }
  const tables = tablesOf(rows)
  console.log(tables)
  if (process.argv.includes('--write')) writeFileSync(PAGE, pageOf(tables, load))
  return rows.filter(({ entry, isRight }) => isRight === isKnownGap(entry)).map(({ entry }) => entry.title)
}

const PAGE = new URL('../../docs/check-corpus.md', import.meta.url)

/** The findings, as a page of the documentation. */
function pageOf(tables: string, load: number): string {
  const machine = `${availableParallelism()} cores, load average ${load.toFixed(1)} at the start`
  return `# What the check finds in its corpus

\`npm run bench check -- --corpus --write\` makes this page: it checks every operator of [test/check/corpus](../test/check/corpus) with all trials, in one thread.
\`expected\` are the classes that name the planted bug rightly, \`steps\` is the length of the story. CPU time is that of the whole check (${machine}); a
loaded machine needs up to twice as much of it as a quiet one.

${tables}
`
}

/** The tables by class and by operator, and the sums. */
function tablesOf(rows: readonly Row[]): string {
  const wrong = rows.filter(({ entry }) => entry.classes.length > 0)
  const right = rows.filter(({ entry }) => entry.classes.length === 0)
  const classes = ['class', 'operators', 'found', 'CPU s, median', 'CPU s, most', 'steps, most']
  const operators = ['operator', 'folder', 'expected', 'reported', 'right', 'CPU s', 'steps']
  return [
    `- ${wrong.filter(({ isRight }) => isRight).length} of ${wrong.length} planted bugs found`,
    `- ${right.filter(({ isRight }) => !isRight).length} of ${right.length} right operators with a false finding`,
    `- ${rows.filter(({ cpuSeconds }) => cpuSeconds > 10).length} of ${rows.length} operators took more than 10 s of CPU`,
    '',
    ...markdownTable(classes, byClass(rows)),
    '',
    ...markdownTable(operators, rows.map(cellsOf)),
  ].join('\n')
}

/** The folders of the corpus, or those that are named after `--corpus`. */
function chosen(): [string, readonly CorpusOperator[]][] {
  const names = process.argv
    .slice(process.argv.indexOf('--corpus') + 1)
    .filter((name) => !name.startsWith('--'))
  return Object.entries(corpus).filter(([folder]) => names.length === 0 || names.includes(folder))
}

function cellsOf({ folder, entry, findings, found, isRight, cpuSeconds }: Row): string[] {
  const reported = findings.map((finding) => finding.class).join(', ')
  const expected = entry.classes.join(' or ') || 'nothing'
  const steps = found ? String(found.story.length) : ''
  return [
    entry.title,
    folder,
    expected,
    reported || 'nothing',
    isRight ? 'yes' : 'no',
    cpuSeconds.toFixed(1),
    steps,
  ]
}

/** A row for each class: the first of the classes that an operator expects is the one that it was planted for. */
function byClass(rows: readonly Row[]): string[][] {
  return [...Map.groupBy(rows, ({ entry }) => entry.classes[0] ?? 'right')].map(([name, ofClass]) => {
    const seconds = ofClass.map(({ cpuSeconds }) => cpuSeconds).toSorted((one, other) => one - other)
    const steps = ofClass.map(({ found }) => found?.story.length ?? 0)
    return [
      name,
      String(ofClass.length),
      String(ofClass.filter(({ isRight }) => isRight).length),
      (seconds[Math.floor(seconds.length / 2)] ?? 0).toFixed(1),
      (seconds.at(-1) ?? 0).toFixed(1),
      String(steps.reduce((most, count) => Math.max(most, count), 0)),
    ]
  })
}
