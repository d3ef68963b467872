/** Does to a durable store and its server what can go wrong, again and again: `npm test kills -- --help`. */
import { parseArgs } from 'node:util'
import { killRounds } from '../test/kills/kill-rounds.ts'
import { seeded } from '../test/kills/seeded.ts'
import { storeFaults } from '../test/kills/store-faults.ts'

const HELP = `Usage: npm test kills -- [options]

Half of the faults damage the files of a store that was killed: bytes changed, cut off, emptied, removed, replaced by an
older copy. A fifth of them kill a store that makes a checkpoint every few writes, and a fifth kill a store on a full disk.
A tenth kill an API server under load with SIGKILL at a random moment. After each fault, every acknowledged write must be
there, unchanged, or the store must refuse to open and leave its files alone.

  --times <n>  how many faults (1000)
  --seed <n>   the seed of the random faults (default: the time of day); the moment of a kill still depends on the machine
  --help       this
`

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '1000' },
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
  if (!Number.isInteger(times) || times < 10 || !Number.isInteger(seed)) {
    console.error('--times must be a whole number from 10, and --seed a whole number')
    process.exitCode = 1
    return
  }
  console.log(`${times} faults, seed ${seed}`)
  const start = performance.now()
  const seconds = (): number => Math.round((performance.now() - start) / 1_000)
  const share = (part: number): number => Math.max(1, Math.floor(times * part))
  const counts = { checkpointKills: share(0.2), fullDiskKills: share(0.2), serverKills: share(0.1) }
  const damages = times - counts.checkpointKills - counts.fullDiskKills - counts.serverKills
  let shown = 0
  const show = (faults: number, what: string): void => {
    if (faults < shown + Math.max(10, times / 20)) return
    shown = faults
    console.log(`  ${faults} faults after ${seconds()} s: ${what}`)
  }
  try {
    const report = await storeFaults({ ...counts, damages }, seeded(seed), (sofar) =>
      show(sofar.checkpointKills + sofar.damages + sofar.fullDiskKills, `${sofar.refused} refused`),
    )
    const before = times - counts.serverKills
    const onRound = (round: number, writes: number): void =>
      show(before + round, `${writes} writes to a server`)
    const servers = await killRounds({ times: counts.serverKills, seed, onRound })
    console.log(
      [
        `${times} faults in ${seconds()} s:`,
        `  ${report.checkpointKills} kills with a checkpoint every few writes`,
        `  ${report.damages} damaged files: ${report.refused} stores refused to open, ${report.damages - report.refused} opened without a loss`,
        `  ${report.fullDiskKills} kills on a full ${report.mounted ? 'disk' : 'file (no disk can be mounted here)'}`,
        `  ${servers.kills} kills of a server under load`,
        `All ${report.writes + servers.writes} acknowledged writes were there, unchanged, or the store reported that they were missing.`,
      ].join('\n'),
    )
  } catch (error) {
    console.error(`Failed (seed ${seed}): ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
