/** Kills a durable API server under load, again and again, and checks it each time: `npm run test:kills -- --help`. */
import { parseArgs } from 'node:util'
import { killRounds } from '../test/kills/kill-rounds.ts'

const HELP = `Usage: npm run test:kills -- [options]

Starts an API server that keeps its objects in a file, lets clients write, kills it with SIGKILL at a moment left to
chance, starts it again, and checks that every acknowledged write is there, whole, and that versions go on.

  --times <n>  how many kills (100)
  --seed <n>   where chance begins; the moment of a kill still depends on the machine (the time of day)
  --help       this
`

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
} else {
  await run(Number(values.times), Number(values.seed))
}

async function run(times: number, seed: number): Promise<void> {
  if (!Number.isInteger(times) || times < 1 || !Number.isInteger(seed)) {
    console.error('--times must be a whole number from 1, and --seed a whole number')
    process.exitCode = 1
    return
  }
  console.log(`${times} kills, seed ${seed}`)
  const start = performance.now()
  const onRound = (round: number, writes: number): void => {
    if (round % 10 === 0 || round === times) console.log(`  ${round} kills, ${writes} acknowledged writes`)
  }
  try {
    const { kills, writes } = await killRounds({ times, seed, onRound })
    const seconds = Math.round((performance.now() - start) / 1_000)
    console.log(`${kills} kills in ${seconds} s: all ${writes} acknowledged writes were there, and whole.`)
  } catch (error) {
    console.error(`Failed (seed ${seed}): ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
