import type { OperatorTest } from '@homeostat/cluster/testing'

/** How soon work is due that counts as work of the present process, in simulated milliseconds. */
const SOON = 60_000

/**
 * Runs the work that is due within a minute, and lets one more second pass. It belongs to the present process, which
 * may reconcile a moment after a round minute, and must not count as work of the one that a restart starts. Returns how
 * long that took, or 0 where nothing was due.
 */
export async function workOfPresentProcess(test: OperatorTest): Promise<number> {
  const { clock, reports } = test
  const begin = clock.monotonic()
  const { length: before } = reports
  for (;;) {
    const due = clock.nextDue()
    if (due === undefined || clock.monotonic() + due > begin + SOON) return 0
    await test.advance(due)
    if (reports.length > before) break
  }
  await test.advance('1s')
  return clock.monotonic() - begin
}
