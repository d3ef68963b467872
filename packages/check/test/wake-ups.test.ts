import { controller, type Controller } from 'homeostat'
import { expect, test } from 'vitest'
import { check, textReport } from '../src/index.ts'
import { Widget, widgetOperator } from './widget.ts'

const MINUTE = 60_000

/** Writes what `noteAt` gives for the present moment, and is called again some time after the next minute begins. */
function noting(noteAt: (now: number) => string, delay: number): Controller {
  return controller('widgets')
    .for(Widget)
    .writes(Widget, 'patch')
    .reconcile(async (key, { client, clock }) => {
      const widget = await client.get(Widget, key)
      if (!widget) return undefined
      const now = clock.now()
      const note = noteAt(now)
      if (widget.metadata.annotations?.['note'] !== note) {
        const body = { metadata: { annotations: { note } } }
        await client.patch(Widget, key, { type: 'merge', body })
      }
      return { requeueAfter: MINUTE - (now % MINUTE) + delay }
    })
}

const minuteOf = (now: number): string => `minute ${Math.floor(now / MINUTE)}`
const secondOf = (now: number): string => `second ${Math.floor(now / 1_000)}`

test.for([100, 30_000])(
  'J14: a new process that starts before a wake-up %i ms after a round minute does the work of that wake-up, which is right',
  async (delay) => {
    const report = await check(widgetOperator(noting(minuteOf, delay)), { only: ['writes-at-rest'] })
    expect(report.findings, textReport(report)).toEqual([])
  },
)

test.for([100, 30_000])(
  'J12: an operator that notes each look is found, also where it looks %i ms after a round minute',
  async (delay) => {
    const { findings } = await check(widgetOperator(noting(secondOf, delay)), { only: ['writes-at-rest'] })
    expect(findings).toMatchObject([
      {
        class: 'writes-at-rest',
        summary: 'a new process changes the Widget default/w although nothing has happened',
        story: [
          { step: 'create' },
          { step: 'rest' },
          { step: 'wait', duration: `${delay + 1_000}ms` },
          { step: 'stop' },
          { step: 'start' },
        ],
      },
    ])
  },
)
