import { check, type CheckOptions, type Finding } from '@homeostat/check'
import type { CorpusOperator } from './corpus-operator.ts'
import { missed } from './missed.ts'

/** How an operator of the corpus was judged. */
export interface Judgement {
  readonly findings: readonly Finding[]
  /** The finding that names the planted bug. */
  readonly found: Finding | undefined
  /** Whether a planted bug was found, or a right operator left alone. */
  readonly isRight: boolean
  readonly cpuSeconds: number
}

/** Checks an operator of the corpus, and compares what is found with what was planted. */
export async function judge(entry: CorpusOperator, options?: CheckOptions): Promise<Judgement> {
  const before = process.cpuUsage()
  const { findings } = await check(entry.operator, { ...entry.options, ...options })
  const { user, system } = process.cpuUsage(before)
  const found = findings.find((finding) => entry.classes.includes(finding.class))
  const isRight = entry.classes.length === 0 ? findings.length === 0 : found !== undefined
  return { findings, found, isRight, cpuSeconds: (user + system) / 1e6 }
}

/** Whether the check is known to judge this operator wrongly today. */
export function isKnownGap({ title }: CorpusOperator): boolean {
  return missed.some((gap) => gap.title === title)
}
