import { chosenNames, readCommandLine, RESULTS } from '../command-line.ts'

/** The options of a run. */
export interface Options {
  readonly only: readonly Measure[]
  readonly starts: number
  readonly replicas: number
  readonly modules: number
  readonly idleSeconds: number
  readonly garbage: number
  readonly logMegabytes: number
  /** The folder that the results are written to. */
  readonly out: string
}

export const MEASURES = [
  'start',
  'one',
  'many',
  'modules',
  'idle',
  'garbage',
  'log',
  'quiet-day',
  'cron-day',
] as const
export type Measure = (typeof MEASURES)[number]

const NUMBERS = {
  starts: 5,
  replicas: 100,
  modules: 500,
  'idle-seconds': 60,
  garbage: 10_000,
  'log-megabytes': 1_024,
} as const

export const HELP = `Usage: npm run bench cluster -- [options]

Measures the local cluster as a process of its own, from outside: over its port, and by what the system says of it. Ends
with 1 when an aim is missed.

  --only <names>          which measurements, joined by commas (all): ${MEASURES.join(', ')}
  --starts <n>            how often it is started; the median counts (${NUMBERS.starts})
  --replicas <n>          the Pods of the larger Deployment of a mapped command (${NUMBERS.replicas})
  --modules <n>           the Pods of a module of the cluster's own process (${NUMBERS.modules})
  --idle-seconds <n>      for how long its idle CPU is counted (${NUMBERS['idle-seconds']})
  --garbage <n>           how many objects go with their owner (${NUMBERS.garbage})
  --log-megabytes <n>     how much log is followed (${NUMBERS['log-megabytes']})
  --out <folder>          where the results go (benchmarks/results)
  --help                  this
`

/** Reads the command line; `undefined` where it asks for help. Throws an `Error` that names what is wrong. */
export function readOptions(args: readonly string[]): Options | undefined {
  const line = readCommandLine(args, NUMBERS, { only: MEASURES.join(','), out: RESULTS })
  return (
    line && {
      only: chosenNames('only', line.text('only'), MEASURES),
      starts: line.number('starts'),
      replicas: line.number('replicas'),
      modules: line.number('modules'),
      idleSeconds: line.number('idle-seconds'),
      garbage: line.number('garbage'),
      logMegabytes: line.number('log-megabytes'),
      out: line.text('out'),
    }
  )
}
