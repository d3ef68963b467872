import { HomeostatError } from '@homeostat/api'
import { answerDifferences, serverFailure, signature } from './answer-differences.ts'
import { serve, type FuzzedServer } from './both-servers.ts'
import { comparableAnswer, type ComparableAnswer, type RawAnswer } from './comparable-answer.ts'
import { randomCustomKind } from './custom-kind.ts'
import type { FuzzCase, FuzzRequest } from './fuzz-case.ts'
import { getAt, isTreeObject, withPlainNumbers, type TreeObject } from './json-tree.ts'
import { knownReasons, NOTATION } from './known-differences.ts'
import { Random } from './random.ts'
import { randomCase } from './random-case.ts'
import { nativeKinds, type FuzzedKind } from './seeds.ts'
import { shrink } from './shrink.ts'
import { standingObjects, type StandingObject } from './standing-objects.ts'

/** How many cases there are for one custom kind. Cases of one round may be played at once; rounds may not. */
export const ROUND = 400
/** How many of the cases of a round are about its custom kind. */
const CUSTOM_SHARE = 0.3
const NAMESPACE = 'fuzz'
/** How many times the real server is asked again for a refusal in our words. */
const ASKED_AGAIN = 16

/** The outcome of one case. */
export interface Outcome {
  readonly seed: number
  readonly index: number
  readonly kind: string
  readonly verb: string
  readonly result: 'same' | 'listed' | 'different' | 'failed'
  readonly reasons: readonly string[]
  /** For a difference: what sort it is, its lines, and the smallest case that shows it. */
  readonly signature: string
  readonly lines: readonly string[]
  readonly shown?: FuzzCase
  readonly codes: readonly number[]
  /** The messages of our answers from 500 on that the real server gives too, with the same message. */
  readonly sharedFailures: readonly string[]
  /** Our other answers from 500 on. Each is a failure of ours, whatever is listed. */
  readonly ownFailures: readonly string[]
}

/** The answers of both servers to the requests of a case. */
interface Answers extends Pick<Outcome, 'codes' | 'sharedFailures' | 'ownFailures'> {
  readonly lines: readonly string[]
}

export interface FuzzerOptions {
  readonly ours: FuzzedServer
  readonly real: FuzzedServer
  readonly seed: number
  /** Only kinds whose name holds one of these texts, which commas separate. */
  readonly only?: string | undefined
  /** Whether differences are made smaller before they are reported. */
  readonly shrinks: boolean
  /** When the run began: times after it were made by a server. */
  readonly since: number
}

/** Asks both servers the same, case after case. */
export class Fuzzer {
  readonly #options: FuzzerOptions
  readonly #kinds: readonly FuzzedKind[]
  readonly #standing = new Map<string, StandingObject[]>()
  readonly #shrunk = new Set<string>()
  #round = -1
  #begun: Promise<void> = Promise.resolve()
  #custom: FuzzedKind | undefined
  #definition = ''

  constructor(options: FuzzerOptions) {
    this.#options = options
    const { only } = options
    const texts = only?.toLowerCase().split(',') ?? ['']
    const wanted = (name: string): boolean => texts.some((text) => name.toLowerCase().includes(text))
    this.#kinds = nativeKinds().filter(({ name }) => wanted(name))
    if (this.#kinds.length === 0 && !wanted('random custom kind')) {
      throw new HomeostatError('FUZZ_NO_KIND', `no kind is called ${only}`)
    }
  }

  get kinds(): readonly string[] {
    return this.#kinds.map(({ name }) => name)
  }

  /** Makes what cases build upon, on both servers. Gives the objects that only one of them took. */
  async prepare(): Promise<string[]> {
    for (const name of [NAMESPACE, `${NAMESPACE}-limits`]) {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
      await this.#both({ method: 'POST', path: '/api/v1/namespaces', body })
    }
    const odd: string[] = []
    for (const standing of standingObjects(this.#kinds)) {
      const problem = await this.#stand(standing)
      if (problem) odd.push(problem)
    }
    return odd
  }

  /** Makes an object on both servers. */
  async #stand({ path, object }: StandingObject): Promise<string | undefined> {
    const collection = path.slice(0, path.lastIndexOf('/'))
    const [ours, real] = await this.#both({ method: 'POST', path: collection, body: object })
    if (ours.code === 201 && real.code === 201) {
      if (object['kind'] === 'Node') await this.#removeTaints(path, object)
      const all = this.#standing.get(collection) ?? []
      this.#standing.set(collection, all)
      all.push({ path, object: withoutServerFields(object) })
      return undefined
    }
    if (ours.code === 201 || real.code === 201) {
      await this.#both({ method: 'DELETE', path: `${path}?gracePeriodSeconds=0` })
      return `${path}: ${ours.code}, not ${real.code}: ${(ours.code === 201 ? real : ours).text.slice(0, 300)}`
    }
    return undefined
  }

  /** Leaves the taints that were sent: the real server adds one to a new Node, which its kubelet would remove. */
  async #removeTaints(path: string, { spec }: TreeObject): Promise<void> {
    const taints = getAt(spec, ['taints']) ?? null
    const type = 'application/merge-patch+json'
    await this.#both({ method: 'PATCH', path, type, body: { spec: { taints } } })
  }

  /** Plays one case. The same seed and index give the same case. */
  async play(index: number): Promise<Outcome> {
    const random = Random.of(this.#options.seed, index)
    const aboutCustom = random.chance(this.#kinds.length === 0 ? 1 : CUSTOM_SHARE)
    await this.#beginRound(Math.floor(index / ROUND), aboutCustom)
    const kind = aboutCustom && this.#custom ? this.#custom : random.pick(this.#kinds)
    const one = randomCase(random, kind, this.#standing.get(kind.path) ?? [], index)
    return this.#judge(one, index)
  }

  /** Compares the answers to a case that was kept. */
  async playCase(one: FuzzCase): Promise<Answers> {
    return this.#differences(one)
  }

  async #judge(one: FuzzCase, index: number): Promise<Outcome> {
    const answers = await this.#differences(one)
    const { lines, ownFailures } = answers
    const base = {
      ...answers,
      seed: this.#options.seed,
      index,
      kind: one.kind,
      verb: one.verb,
      reasons: [],
    }
    if (lines.length === 0) return { ...base, result: 'same', signature: '' }
    const sort = signature(lines)
    const failed = ownFailures.length > 0
    const reasons = failed ? undefined : (knownReasons(one, lines) ?? (await this.#reasonsOfNotation(one)))
    if (reasons) return { ...base, result: 'listed', signature: sort, reasons }
    const result = failed ? 'failed' : 'different'
    if (!this.#options.shrinks || this.#shrunk.has(sort))
      return { ...base, result, signature: sort, shown: one }
    this.#shrunk.add(sort)
    const shown = await shrink(one, async (smaller) => {
      const again = await this.#differences(smaller)
      if (again.lines.length === 0 || signature(again.lines) !== sort) return false
      if (again.ownFailures.length > 0) return true
      return !knownReasons(smaller, again.lines) && !(await this.#reasonsOfNotation(smaller))
    })
    return { ...base, result, signature: sort, shown, lines: (await this.#differences(shown)).lines }
  }

  /** The reasons for a difference that is gone, or listed, where numbers are written as JavaScript writes them. */
  async #reasonsOfNotation(one: FuzzCase): Promise<string[] | undefined> {
    if (!one.kind.startsWith('random custom')) return undefined
    const requests = one.requests.map((request) => {
      const body = withPlainNumbers(request.body)
      return body === request.body ? request : { ...request, body }
    })
    if (requests.every((request, index) => request === one.requests[index])) return undefined
    const plain = { ...one, requests }
    const { lines, ownFailures } = await this.#differences(plain)
    if (ownFailures.length > 0) return undefined
    const others = lines.length === 0 ? [] : knownReasons(plain, lines)
    return others && [NOTATION, ...others]
  }

  async #differences(one: FuzzCase): Promise<Answers> {
    const lines: string[] = []
    const codes: number[] = []
    const sharedFailures: string[] = []
    const ownFailures: string[] = []
    for (const [index, request] of one.requests.entries()) {
      const { ours, real } = await this.#askBoth(request)
      codes.push(ours.code)
      const failure = serverFailure(ours, real)
      if (failure) (failure.shared ? sharedFailures : ownFailures).push(failure.message)
      const found = answerDifferences(ours, real)
      lines.push(...found.map((line) => (one.requests.length > 1 ? `${index + 1}: ${line}` : line)))
      // Later answers would differ for the same reason.
      if (found.length > 0) break
    }
    if (one.leaves) await this.#takeAway(one.leaves)
    return { lines, codes, sharedFailures, ownFailures }
  }

  /**
   * The answers of both to a request. Of several mistakes the real server reports any one, and it may not see one at all, because Go
   * goes through maps in no certain order: where the answers differ, it is asked again, until it says what ours says. A request that it
   * has carried out is not repeated.
   */
  async #askBoth(request: FuzzRequest): Promise<{ ours: ComparableAnswer; real: ComparableAnswer }> {
    const sent = getAt(request.body, ['metadata', 'generateName'])
    const known = {
      since: this.#options.since,
      generateName: typeof sent === 'string' ? sent : undefined,
    }
    const [rawOurs, rawReal] = await this.#both(request)
    const ours = comparableAnswer(rawOurs, known)
    let real = comparableAnswer(rawReal, known)
    for (let times = 0; times < ASKED_AGAIN; times++) {
      if (!(real.failure || storesNothing(request)) || answerDifferences(ours, real).length === 0) break
      real = comparableAnswer(await this.#options.real.ask(request, NAMESPACE), known)
    }
    return { ours, real }
  }

  async #takeAway(path: string): Promise<void> {
    await Promise.all(
      [this.#options.ours, this.#options.real].map(async (server) => {
        const { code } = await server.ask(
          { method: 'DELETE', path: `${path}?gracePeriodSeconds=0` },
          NAMESPACE,
        )
        if (code === 404) return
        const body = [{ op: 'replace', path: '/metadata/finalizers', value: [] }]
        await server.ask({ method: 'PATCH', path, type: 'application/json-patch+json', body }, NAMESPACE)
        await server.ask({ method: 'DELETE', path: `${path}?gracePeriodSeconds=0` }, NAMESPACE)
      }),
    )
  }

  /** Replaces the custom kind when a new round begins. It is only made where a case needs it. */
  async #beginRound(round: number, needed: boolean): Promise<void> {
    if (!needed) return
    if (round !== this.#round) {
      this.#round = round
      this.#begun = this.#replaceCustomKind(round)
    }
    await this.#begun
  }

  async #replaceCustomKind(round: number): Promise<void> {
    await this.#endRound()
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    for (let attempt = 0; attempt < 20; attempt++) {
      const random = Random.of(this.#options.seed ^ 0x5eed, round * 20 + attempt)
      const { definition, kind } = randomCustomKind(random, round)
      const [ours, real] = await this.#both({
        method: 'POST',
        path: `${definitions}?dryRun=All`,
        body: definition,
      })
      if (ours.code !== 201 || real.code !== 201) continue
      await this.#both({ method: 'POST', path: definitions, body: definition })
      this.#definition = `${definitions}/${(definition['metadata'] as TreeObject)['name'] as string}`
      const servers = [this.#options.ours, this.#options.real]
      await Promise.all(servers.map((server) => serve(server, definition, kind.path, NAMESPACE)))
      this.#custom = kind
      for (const [index, seed] of kind.seeds.slice(0, 12).entries()) {
        const name = `standing-${index}`
        const object = { ...seed, metadata: { name } }
        await this.#stand({ path: `${kind.path}/${name}`, object })
      }
      return
    }
  }

  async #endRound(): Promise<void> {
    if (this.#definition !== '') await this.#both({ method: 'DELETE', path: this.#definition })
    if (this.#custom) this.#standing.delete(this.#custom.path)
    this.#definition = ''
    this.#custom = undefined
  }

  #both(request: Parameters<FuzzedServer['ask']>[0]): Promise<[RawAnswer, RawAnswer]> {
    const { ours, real } = this.#options
    return Promise.all([ours.ask(request, NAMESPACE), real.ask(request, NAMESPACE)])
  }
}

function storesNothing({ method, path }: FuzzRequest): boolean {
  return method === 'GET' || path.includes('dryRun=All')
}

function withoutServerFields(object: TreeObject): TreeObject {
  return isTreeObject(object['metadata']) ? object : { ...object, metadata: {} }
}
