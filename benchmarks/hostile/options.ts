import { chosenNames, readCommandLine, RESULTS } from '../command-line.ts'
import { GROUPS, type Group } from './hostile-case.ts'

/** The cases of a run, and how long each takes. */
export interface Options {
  readonly only: readonly Group[]
  /** A part of the titles of the cases. */
  readonly match: string
  readonly seconds: number
  /** The longest silence that is allowed, in milliseconds. */
  readonly limit: number
  /** The folder that the results are written to. */
  readonly out: string
}

const NUMBERS = { seconds: 3, limit: 250 } as const

export const HELP = `Usage: npm run bench hostile -- [options]

Throws hostile Pods, requests and reconcilers at a local cluster, each at one of its own, while another process asks
/livez every 50 ms. Ends with 1 when the longest silence or the largest answer is over its limit.

  --only <names>       which kinds of cases, joined by commas (all): ${GROUPS.join(', ')}
  --match <text>       only cases with this in their title
  --seconds <n>        how long a Pod or a reconciler goes on (${NUMBERS.seconds})
  --limit <n>          the longest silence that is allowed, in milliseconds (${NUMBERS.limit})
  --out <folder>       where the results go (benchmarks/results)
  --help               this
`

/** Reads the command line; `undefined` where it asks for help. Throws an `Error` that names what is wrong. */
export function readOptions(args: readonly string[]): Options | undefined {
  const line = readCommandLine(args, NUMBERS, { only: GROUPS.join(','), match: '', out: RESULTS })
  return (
    line && {
      only: chosenNames('only', line.text('only'), GROUPS),
      match: line.text('match'),
      seconds: line.number('seconds'),
      limit: line.number('limit'),
      out: line.text('out'),
    }
  )
}
