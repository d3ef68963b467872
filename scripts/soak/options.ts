import { parseArgs } from 'node:util'

/** How a soak runs. */
export interface SoakOptions {
  readonly minutes: number
  /** Writes a second. */
  readonly rate: number
  /** How many objects are written, over and over. */
  readonly count: number
}

export const HELP = `Usage: npm run soak -- [options]

Runs a manager on an API server in another process, changes its objects all the time, and checks that its memory
stays flat and that nothing is lost. It ends with 1 where either does not hold.

  --minutes <n>  how long (10); rate and memory are judged from one minute on
  --rate <n>     writes a second (100)
  --count <n>    how many objects there are (1000)
  --help         this
`

/** Reads the command line; `undefined` where it asks for help. Throws an `Error` that names what is wrong. */
export function readOptions(args: readonly string[]): SoakOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      rate: { type: 'string', default: '100' },
      count: { type: 'string', default: '1000' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const count = above0('count', values.count)
  if (!Number.isInteger(count)) throw new Error(`--count must be a whole number, not ${values.count}`)
  return { minutes: above0('minutes', values.minutes), rate: above0('rate', values.rate), count }
}

function above0(name: string, text: string): number {
  const number = Number(text)
  if (number > 0 && Number.isFinite(number)) return number
  throw new Error(`--${name} must be a number above 0, not ${text}`)
}
