import { chosenNames, readCommandLine, RESULTS } from '../command-line.ts'
import { PEER_NAMES, type PeerName } from './peers.ts'

/** The options of a run. */
export interface Options {
  readonly objects: number
  readonly rounds: number
  readonly peers: readonly PeerName[]
  readonly idleSeconds: number
  readonly updateSeconds: number
  readonly updatesPerSecond: number
  /** The folder that the results are written to. */
  readonly out: string
}

/** The peers that run when none are named. The others are variants. */
const DEFAULT_PEERS = 'ours,go,kube-rs,client-node,curl'

const NUMBERS = {
  objects: 50_000,
  rounds: 3,
  'idle-seconds': 60,
  'update-seconds': 30,
  'updates-per-second': 100,
} as const

export const HELP = `Usage: npm run bench runtime -- [options]

Measures controllers side by side on a real kube-apiserver that is full of custom objects.

  --objects <n>             how many objects (${NUMBERS.objects})
  --rounds <n>              how often each peer is measured; the medians count (${NUMBERS.rounds})
  --peers <names>           which ones, joined by commas (${DEFAULT_PEERS});
                            there are: ${PEER_NAMES.join(', ')}
  --idle-seconds <n>        how long a peer stays idle before its memory is read again (${NUMBERS['idle-seconds']})
  --update-seconds <n>      for how long objects are updated (${NUMBERS['update-seconds']})
  --updates-per-second <n>  how many (${NUMBERS['updates-per-second']})
  --out <folder>            where the results go (benchmarks/results)
  --help                    this

A quick look: npm run bench runtime -- --objects 2000 --rounds 1 --idle-seconds 5 --update-seconds 10
`

/** Reads the command line; `undefined` where it asks for help. Throws an `Error` that names what is wrong. */
export function readOptions(args: readonly string[]): Options | undefined {
  const line = readCommandLine(args, NUMBERS, { peers: DEFAULT_PEERS, out: RESULTS })
  return (
    line && {
      objects: line.number('objects'),
      rounds: line.number('rounds'),
      peers: chosenNames('peers', line.text('peers'), PEER_NAMES),
      idleSeconds: line.number('idle-seconds'),
      updateSeconds: line.number('update-seconds'),
      updatesPerSecond: line.number('updates-per-second'),
      out: line.text('out'),
    }
  )
}
