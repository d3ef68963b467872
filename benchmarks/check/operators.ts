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
  const rows: Row[] = []
  for (const [folder, operators] of Object.entries(corpus)) {
    for (const entry of operators) {
      const judgement = await judge(entry, { signal: AbortSignal.timeout(LONGEST) })
      rows.push({ folder, entry, ...judgement })
      const cells = cellsOf({ folder, entry, ...judgement })
      process.stderr.write(`${cells.join(' | ')}\n`)
    }
  }
  const head = ['operator', 'folder', 'expected', 'reported', 'right', 'CPU s', 'steps']
  console.log(markdownTable(head, rows.map(cellsOf)).join('\n'))
  console.log(
    markdownTable(
      ['class', 'operators', 'found', 'CPU s, median', 'CPU s, most', 'steps, most'],
      byClass(rows),
    ).join('\n'),
  )
  const wrong = rows.filter(({ entry }) => entry.classes.length > 0)
  const right = rows.filter(({ entry }) => entry.classes.length === 0)
  console.log(`${wrong.filter(({ isRight }) => isRight).length} of ${wrong.length} planted bugs found`)
  console.log(
    `${right.filter(({ isRight }) => !isRight).length} of ${right.length} right operators with a false finding`,
  )
  console.log(
    `${rows.filter(({ cpuSeconds }) => cpuSeconds > 10).length} operators took more than 10 s of CPU`,
  )
  return rows.filter(({ entry, isRight }) => isRight === isKnownGap(entry)).map(({ entry }) => entry.title)
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
