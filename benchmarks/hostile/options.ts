import { parseArgs } from 'node:util'
import { COMMON_OPTIONS, numberOptions, wholeNumber } from '../run-benchmark.ts'
import { GROUPS, type Group } from './hostile-case.ts'

/** What a run throws at the cluster, and for how long. */
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
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...COMMON_OPTIONS,
      ...numberOptions(NUMBERS),
      only: { type: 'string', default: GROUPS.join(',') },
      match: { type: 'string', default: '' },
    },
  })
  if (values.help) return undefined
  return {
    only: groups(values.only),
    match: values.match,
    seconds: wholeNumber('seconds', values.seconds),
    limit: wholeNumber('limit', values.limit),
    out: values.out,
  }
}

function groups(text: string): Group[] {
  return text.split(',').map((name) => {
    const found = GROUPS.find((group) => group === name.trim())
    if (!found) throw new Error(`--only names ${JSON.stringify(name)}; there are ${GROUPS.join(', ')}`)
    return found
  })
}
