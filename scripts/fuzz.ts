// Asks our API server and a real kube-apiserver the same random requests, and compares the answers. Run by `npm run fuzz`.
import { parseArgs } from 'node:util'
import { HomeostatError } from '@homeostat/api'
import { signature } from '../test/fuzz/answer-differences.ts'
import { startOurs, startReal } from '../test/fuzz/both-servers.ts'
import { Fuzzer, ROUND, type Outcome } from '../test/fuzz/fuzzer.ts'
import { textOf } from '../test/fuzz/json-tree.ts'
import { record } from '../test/fuzz/recorded.ts'
import { KUBERNETES_VERSION } from '../test/kubernetes/binaries.ts'

const HELP = `Usage: npm run fuzz -- [options]

Makes random objects and patches of every native kind and of random custom kinds, sends them to our API server and to a
real kube-apiserver ${KUBERNETES_VERSION} ("npm run kubernetes" builds it), and compares code, reason, causes and the
object. Ends with 1 when an answer differs in a way that test/fuzz/known/ does not list, or when ours is
a 500 that the real server does not answer with the same message.

Options:
  --minutes <n>         how long (1)
  --seconds <n>         how long, in seconds
  --seed <n>            the seed of the random cases (default: the time of day)
  --kind <texts>        only kinds whose name holds one of these texts: "Pod", "batch/v1,apps/v1", "custom"
  --replay <seed/case>  plays one case again and shows where the answers differ; several are joined by commas: 7/1,7/2
  --record              instead keeps the real server's answers to the cases in test/fuzz/recorded.ts, for npm test
  --known               shows the sorts of listed differences, too, each with its first case
  --no-shrink           reports differences as they were found
  --help`

const { values } = parseArgs({
  allowNegative: true,
  options: {
    minutes: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    kind: { type: 'string' },
    replay: { type: 'string' },
    record: { type: 'boolean', default: false },
    known: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: true },
    help: { type: 'boolean', short: 'h' },
  },
})

/** How many cases are under way at once. */
const WORKERS = 3

class Tally {
  readonly #results = new Map<string, number>()
  readonly #verbs = new Map<string, number>()
  readonly #kinds = new Map<string, number>()
  readonly #codes = new Map<string, number>()
  /** The messages of our 500s that the real server gives too. */
  readonly #shared = new Map<string, number>()
  readonly #own = new Map<string, number>()
  readonly #listed = new Map<string, Map<string, { count: number; first: Outcome }>>()
  readonly #signatures = new Map<string, { count: number; kinds: Set<string>; first: Outcome }>()
  cases = 0

  add(outcome: Outcome): boolean {
    this.cases++
    count(this.#results, outcome.result)
    count(this.#verbs, outcome.verb)
    count(this.#kinds, outcome.kind)
    for (const code of outcome.codes) count(this.#codes, String(code))
    for (const message of outcome.sharedFailures) count(this.#shared, beginningOf(message))
    for (const message of outcome.ownFailures) count(this.#own, signature([message]))
    for (const reason of outcome.reasons) this.#addListed(reason, outcome)
    if (!isFound(outcome)) return false
    const known = this.#signatures.get(outcome.signature)
    if (known) {
      known.count++
      known.kinds.add(`${outcome.kind}, ${outcome.verb}`)
    } else {
      const kinds = new Set([`${outcome.kind}, ${outcome.verb}`])
      this.#signatures.set(outcome.signature, { count: 1, kinds, first: outcome })
    }
    return !known
  }

  #addListed(reason: string, outcome: Outcome): void {
    const sorts = this.#listed.get(reason) ?? new Map<string, { count: number; first: Outcome }>()
    this.#listed.set(reason, sorts)
    const sort = `${outcome.kind}: ${outcome.signature}`
    const known = sorts.get(sort)
    if (known) known.count++
    else sorts.set(sort, { count: 1, first: outcome })
  }

  #printListed(reason: string, withSorts: boolean): void {
    const sorts = [...(this.#listed.get(reason)?.values() ?? [])].sort((a, b) => b.count - a.count)
    const times = sorts.reduce((sum, sort) => sum + sort.count, 0)
    const share = ((100 * times) / this.cases).toFixed(2)
    console.log(`listed ${times}, ${share} % of all cases (${sorts.length} sorts): ${reason}`)
    if (!withSorts) return
    for (const { count: often, first } of sorts) {
      console.log(`  ${often} × ${first.kind}, ${first.verb}, --replay ${first.seed}/${first.index}`)
      for (const line of first.lines) console.log(`      ${line.slice(0, 400)}`)
    }
  }

  line(): string {
    const { same = 0, listed = 0, different = 0, failed = 0 } = Object.fromEntries(this.#results)
    return `${this.cases} cases: ${same} without a difference, ${listed} with listed ones, ${different} with others (${this.#signatures.size} sorts), ${failed} failures of ours`
  }

  print(): void {
    console.log(`\n${this.line()}`)
    console.log(`by verb: ${inWords(this.#verbs)}`)
    console.log(`by our code: ${inWords(this.#codes)}`)
    console.log(`by kind: ${inWords(this.#kinds)}`)
    printFailures('500s of ours that the real server answers too, with the same message', this.#shared)
    printFailures('500s of ours that the real server does not answer', this.#own)
    const often = (reason: string): number =>
      [...(this.#listed.get(reason)?.values() ?? [])].reduce((sum, sort) => sum + sort.count, 0)
    const reasons = [...this.#listed.keys()].sort((a, b) => often(b) - often(a))
    for (const reason of reasons) this.#printListed(reason, values.known)
    const sorts = [...this.#signatures.values()].sort((a, b) => b.count - a.count)
    for (const { count: times, first, kinds } of sorts) {
      console.log(`\n${times} × ${first.signature}\n  first by --replay ${first.seed}/${first.index}`)
      console.log(`  in ${kinds.size}: ${[...kinds].slice(0, 8).join('; ')}`)
      for (const line of first.lines) console.log(`  ${line.slice(0, 600)}`)
    }
  }

  get failed(): boolean {
    return this.#signatures.size > 0
  }
}

function count(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1)
}

function sorted(map: Map<string, number>): [string, number][] {
  return [...map].sort(([, a], [, b]) => b - a)
}

function inWords(map: Map<string, number>): string {
  return sorted(map)
    .map(([key, times]) => `${key} ${times}`)
    .join(', ')
}

/** The part of a message before the values that it shows. */
function beginningOf(message: string): string {
  return message.replace(
    /(?<=typed patch object|unknown patch type|types are not identical|parsing|map: |target\.kind|api field in struct|NodePort ).*/s,
    ' …',
  )
}

function printFailures(title: string, messages: Map<string, number>): void {
  const all = [...messages.values()].reduce((sum, times) => sum + times, 0)
  console.log(`${title}: ${all}`)
  for (const [message, times] of sorted(messages)) console.log(`  ${times} × ${message}`)
}

/** Whether a case shows what is not listed. */
function isFound({ result }: Outcome): boolean {
  return result === 'different' || result === 'failed'
}

function report(outcome: Outcome): void {
  console.log(
    `\n✗ ${outcome.result}: ${outcome.kind}, ${outcome.verb}, --replay ${outcome.seed}/${outcome.index}`,
  )
  for (const { method, path, type, body } of outcome.shown?.requests ?? []) {
    console.log(
      `    ${method} ${path} ${type ?? ''}\n      ${body === undefined ? '' : textOf(body).slice(0, 1500)}`,
    )
  }
  for (const line of outcome.lines) console.log(`    ${line.slice(0, 1000)}`)
}

function whole(name: string, text: string): number {
  const value = Number(text)
  if (text !== '' && value >= 0 && Number.isFinite(value)) return value
  throw new HomeostatError('FUZZ_NO_NUMBER', `--${name} must be a number from 0, not ${text}`)
}

async function main(): Promise<void> {
  if (values.help) return console.log(HELP)
  const replays = values.replay?.split(',').map((one) => one.split('/')) ?? []
  const seed = whole('seed', replays[0]?.[0] ?? values.seed)
  const seconds = values.seconds ? whole('seconds', values.seconds) : whole('minutes', values.minutes) * 60
  console.log(`starting a kube-apiserver ${KUBERNETES_VERSION} and ours; seed ${seed}`)
  const since = Date.now() - 5000
  await using real = await startReal()
  if (values.record) {
    console.log(`${await record(real, since)} cases recorded`)
    return
  }
  await using ours = await startOurs()
  const fuzzer = new Fuzzer({ ours, real, seed, only: values.kind, shrinks: values.shrink, since })
  for (const odd of await fuzzer.prepare()) console.log(`made by one server only: ${odd}`)
  if (replays.length > 0) {
    const tally = new Tally()
    for (const [, index = ''] of replays) {
      const outcome = await fuzzer.play(whole('replay', index))
      tally.add(outcome)
      if (replays.length === 1 || isFound(outcome)) report(outcome)
    }
    if (values.known) tally.print()
    else if (replays.length > 1) console.log(tally.line())
    if (tally.failed) process.exitCode = 1
    return
  }
  console.log(`${fuzzer.kinds.length} native kinds`)
  const tally = await run(fuzzer, seconds)
  tally.print()
  if (tally.failed) process.exitCode = 1
}

async function run(fuzzer: Fuzzer, seconds: number): Promise<Tally> {
  const tally = new Tally()
  const end = performance.now() + seconds * 1000
  let told = performance.now()
  let next = 0
  let stopped = false
  process.once('SIGINT', () => (stopped = true))
  const over = (): boolean => performance.now() >= end || stopped
  const work = async (limit: number): Promise<void> => {
    while (next < limit && !over()) {
      const outcome = await fuzzer.play(next++)
      const first = tally.add(outcome)
      if (first) report(outcome)
      if (performance.now() - told > 30_000) {
        told = performance.now()
        console.log(`… ${tally.line()}`)
      }
    }
  }
  for (let limit = ROUND; !over(); limit += ROUND) {
    await Promise.all(Array.from({ length: WORKERS }, () => work(limit)))
  }
  return tally
}

try {
  await main()
} catch (error) {
  console.error(error instanceof HomeostatError ? error.message : error)
  process.exitCode = 1
}
