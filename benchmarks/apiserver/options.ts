import { chosenNames, readCommandLine, RESULTS } from '../command-line.ts'
import { SERVER_NAMES, type ServerName } from './servers.ts'

/** The options of a run. */
export interface Options {
  readonly servers: readonly ServerName[]
  readonly starts: number
  readonly connections: number
  readonly creates: number
  /** How many objects each server creates and deletes before creates are counted. */
  readonly warmUp: number
  readonly objects: number
  readonly stored: number
  readonly watchers: number
  readonly watchSeconds: number
  readonly writesPerSecond: number
  readonly idleSeconds: number
  readonly cycles: number
  /** How many objects ours starts with, where only its memory is measured. */
  readonly memory: number
  /** The folder that the results are written to. */
  readonly out: string
}

const NUMBERS = {
  starts: 5,
  connections: 32,
  creates: 20_000,
  'warm-up': 10_000,
  objects: 50_000,
  stored: 100_000,
  watchers: 100,
  'watch-seconds': 10,
  'writes-per-second': 100,
  'idle-seconds': 10,
  cycles: 200,
  memory: 0,
} as const

export const HELP = `Usage: npm run bench apiserver -- [options]

Measures our API server beside a real etcd and kube-apiserver, with the same client, on custom objects of 2.8 KB.

  --servers <names>         which ones, joined by commas (all): ${SERVER_NAMES.join(', ')}
  --starts <n>              how often ours is started; the median counts (${NUMBERS.starts})
  --connections <n>         over how many connections objects are created (${NUMBERS.connections})
  --creates <n>             how many are created to count how many a second (${NUMBERS.creates})
  --warm-up <n>             how many each server creates and deletes before that (${NUMBERS['warm-up']})
  --objects <n>             how many the list holds (${NUMBERS.objects})
  --stored <n>              how many ours in memory holds when creates are counted again (${NUMBERS.stored})
  --watchers <n>            how many watch (${NUMBERS.watchers})
  --watch-seconds <n>       for how long objects are updated meanwhile (${NUMBERS['watch-seconds']})
  --writes-per-second <n>   how many (${NUMBERS['writes-per-second']})
  --idle-seconds <n>        how long a server stays idle before its memory is read (${NUMBERS['idle-seconds']})
  --cycles <n>              how many servers are started and stopped in one process (${NUMBERS.cycles})
  --memory <n>              measures only ours, started on a folder with so many objects: memory, lists, watches
  --out <folder>            where the results go (benchmarks/results)
  --help                    this

A quick look: npm run bench apiserver -- --creates 1000 --warm-up 500 --objects 5000 --stored 10000 --watch-seconds 5
`

/** Reads the command line; `undefined` where it asks for help. Throws an `Error` that names what is wrong. */
export function readOptions(args: readonly string[]): Options | undefined {
  const line = readCommandLine(args, NUMBERS, { servers: SERVER_NAMES.join(','), out: RESULTS })
  return (
    line && {
      servers: chosenNames('servers', line.text('servers'), SERVER_NAMES),
      starts: line.number('starts'),
      connections: line.number('connections'),
      creates: line.number('creates'),
      warmUp: line.number('warm-up'),
      objects: line.number('objects'),
      stored: line.number('stored'),
      watchers: line.number('watchers'),
      watchSeconds: line.number('watch-seconds'),
      writesPerSecond: line.number('writes-per-second'),
      idleSeconds: line.number('idle-seconds'),
      cycles: line.number('cycles'),
      memory: line.text('memory') === '0' ? 0 : line.number('memory'),
      out: line.text('out'),
    }
  )
}
