import { check, type CheckOptions, type FindingClass } from '@homeostat/check'
import type { OperatorSource } from 'homeostat'
import { plantedBugs } from '../../packages/check/test/planted-bugs.ts'
import { plantedOverlaps } from '../../packages/check/test/planted-overlaps.ts'
import { portedBugs } from '../../packages/check/test/ported-bugs.ts'
import { clusterOperator } from '../../packages/check/test/ported-cluster.ts'
import { usualBugs } from '../../packages/check/test/usual-bugs.ts'
import { widgetOperator } from '../../packages/check/test/widget.ts'
import { markdownTable } from '../markdown-table.ts'

interface WrongOperator {
  readonly title: string
  /** Any of these names the bug rightly. */
  readonly classes: readonly FindingClass[]
  readonly wrong: OperatorSource
  readonly options?: CheckOptions | undefined
}

/** Checks each wrong operator of the corpus, and prints what was found, how long it took and how long the story is. */
export async function printCorpus(): Promise<void> {
  const rows: string[][] = []
  for (const { title, classes, wrong, options } of corpus()) {
    const before = process.cpuUsage()
    const { findings } = await check(wrong, options)
    const { user, system } = process.cpuUsage(before)
    const found = findings.find((finding) => classes.includes(finding.class))
    rows.push([
      title,
      classes.join(' or '),
      found ? found.class : 'no',
      ((user + system) / 1e6).toFixed(1),
      found ? String(found.story.length) : '',
    ])
  }
  console.log(markdownTable(['operator', 'class', 'found', 'CPU s', 'steps'], rows).join('\n'))
  console.log(`${rows.filter(([, , found]) => found !== 'no').length} of ${rows.length} found`)
}

function corpus(): WrongOperator[] {
  return [
    ...[...plantedBugs, ...plantedOverlaps].map(({ title, class: found, wrong }) => ({
      title,
      classes: [found],
      wrong: () => widgetOperator(wrong()),
    })),
    ...usualBugs.map(({ title, classes, wrong }) => ({
      title,
      classes,
      wrong: () => widgetOperator(wrong()),
    })),
    ...portedBugs.map(({ source, classes, wrong, options }) => ({
      title: source,
      classes,
      wrong: clusterOperator(wrong),
      options,
    })),
  ]
}
