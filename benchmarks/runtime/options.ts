import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { wholeNumber } from '../run-benchmark.ts'
import { PEER_NAMES, type PeerName } from './peers.ts'

/** What a run measures, and how. */
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

export const HELP = `Usage: npm run bench runtime -- [options]

Measures controllers side by side on a real kube-apiserver that is full of custom objects.

  --objects <n>             how many objects (50000)
  --rounds <n>              how often each peer is measured; the medians count (3)
  --peers <names>           which ones, joined by commas (${DEFAULT_PEERS});
                            there are: ${PEER_NAMES.join(', ')}
  --idle-seconds <n>        how long a peer stays idle before its memory is read again (60)
  --update-seconds <n>      for how long objects are updated (30)
  --updates-per-second <n>  how many (100)
  --out <folder>            where the results go (benchmarks/results)
  --help                    this

A quick look: npm run bench runtime -- --objects 2000 --rounds 1 --idle-seconds 5 --update-seconds 10
`

/** Reads the command line; `undefined` where it asks for help. Throws an `Error` that names what is wrong. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      objects: { type: 'string', default: '50000' },
      rounds: { type: 'string', default: '3' },
      peers: { type: 'string', default: DEFAULT_PEERS },
      'idle-seconds': { type: 'string', default: '60' },
      'update-seconds': { type: 'string', default: '30' },
      'updates-per-second': { type: 'string', default: '100' },
      out: { type: 'string', default: join(import.meta.dirname, '..', 'results') },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  return {
    objects: wholeNumber('objects', values.objects),
    rounds: wholeNumber('rounds', values.rounds),
    peers: peerNames(values.peers),
    idleSeconds: wholeNumber('idle-seconds', values['idle-seconds']),
    updateSeconds: wholeNumber('update-seconds', values['update-seconds']),
    updatesPerSecond: wholeNumber('updates-per-second', values['updates-per-second']),
    out: values.out,
  }
}

function peerNames(text: string): PeerName[] {
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (!(PEER_NAMES as readonly string[]).includes(name)) {
      throw new Error(`--peers names ${JSON.stringify(name)}; there are ${PEER_NAMES.join(', ')}`)
    }
  }
  return [...new Set(names as PeerName[])]
}
