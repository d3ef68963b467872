import { readCommandLine, RESULTS } from '../command-line.ts'

/** How much a run measures. */
export interface Options {
  /** Reviews to each server in each round, for CPU and throughput. */
  readonly calls: number
  readonly rounds: number
  readonly connections: number
  /** The folder that the results are written to. */
  readonly out: string
}

const NUMBERS = { calls: 10_000, rounds: 5, connections: 8 } as const

export const HELP = `Usage: npm run bench webhooks -- [options]

Sends the same reviews to our webhook server and to controller-runtime's with the same logic, over TLS on loopback, round after
round and by turns. Then measures what a webhook in the process costs a write, and sends bad input to both servers.

  --calls <n>          reviews to each server in each round (${NUMBERS.calls})
  --rounds <n>         how often each server has its turn (${NUMBERS.rounds})
  --connections <n>    how many connections send at once (${NUMBERS.connections})
  --out <folder>       where the results go (benchmarks/results)
  --help               this
`

/** Reads the command line; `undefined` where it asks for help. Throws an `Error` that names what is wrong. */
export function readOptions(args: readonly string[]): Options | undefined {
  const line = readCommandLine(args, NUMBERS, { out: RESULTS })
  return (
    line && {
      calls: line.number('calls'),
      rounds: line.number('rounds'),
      connections: line.number('connections'),
      out: line.text('out'),
    }
  )
}
