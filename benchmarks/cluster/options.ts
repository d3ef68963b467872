import { parseArgs } from 'node:util'
import { COMMON_OPTIONS, numberOptions, wholeNumber } from '../run-benchmark.ts'

/** What a run measures, and how. */
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
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...COMMON_OPTIONS,
      ...numberOptions(NUMBERS),
      only: { type: 'string', default: MEASURES.join(',') },
    },
  })
  if (values.help) return undefined
  const number = (name: keyof typeof NUMBERS): number => wholeNumber(name, values[name])
  return {
    only: measures(values.only),
    starts: number('starts'),
    replicas: number('replicas'),
    modules: number('modules'),
    idleSeconds: number('idle-seconds'),
    garbage: number('garbage'),
    logMegabytes: number('log-megabytes'),
    out: values.out,
  }
}

function measures(text: string): Measure[] {
  return text.split(',').map((name) => {
    const found = MEASURES.find((measure) => measure === name.trim())
    if (!found) throw new Error(`--only names ${JSON.stringify(name)}; there are ${MEASURES.join(', ')}`)
    return found
  })
}
