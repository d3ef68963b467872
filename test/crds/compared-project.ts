import { HomeostatError, SystemClock } from '@homeostat/api'
import { answerDifferences } from '../fuzz/answer-differences.ts'
import { comparableAnswer, type RawAnswer } from '../fuzz/comparable-answer.ts'
import type { FuzzRequest } from '../fuzz/fuzz-case.ts'
import type { ComparedServer } from './compared-servers.ts'
import { explain } from './explain.ts'
import {
  count,
  definitionSpec,
  groupOf,
  type DefinitionSpec,
  type Manifest,
  type ModuleManifests,
} from './manifests.ts'

/** The compared document: a definition, its documentation, a sample. */
export interface Comparison {
  readonly subject: 'definition' | 'discovery' | 'openapi' | 'explain' | 'sample'
  /** A file and the number of a document in it, or a path. */
  readonly place: string
  readonly kind: string
  /** Where the servers differ: the step and the difference. Empty: nowhere. */
  readonly lines: readonly string[]
}

export interface CompareOptions {
  readonly ours: ComparedServer
  readonly real: ComparedServer
  /** The time before which no server made anything. */
  readonly since: number
  /** How many samples are compared at most. */
  readonly limit: number
  /** Whether `kubectl explain` is compared. */
  readonly explains: boolean
  readonly onProgress: (text: string) => void
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const NAMESPACE = 'samples'
const clock = new SystemClock()

/** Compares how both servers treat the definitions and samples of a project, and removes them again. */
export class ComparedProject {
  readonly #options: CompareOptions
  readonly #skipped: Map<string, number>
  readonly #definitions: readonly Manifest[]
  readonly #samples: readonly Manifest[]
  /** The definitions that both servers serve, by group and kind. */
  readonly #served = new Map<string, DefinitionSpec>()

  constructor(manifests: ModuleManifests, options: CompareOptions) {
    this.#options = options
    this.#definitions = manifests.definitions
    this.#samples = manifests.samples
    this.#skipped = new Map(manifests.skipped)
  }

  /** How many samples were left out, by reason; complete when all comparisons were given. */
  get skipped(): ReadonlyMap<string, number> {
    return this.#skipped
  }

  async *compare(): AsyncIterable<Comparison> {
    for (const definition of this.#definitions) yield await this.#define(definition)
    try {
      await this.#untilServed()
      for (const [index, definition] of this.#definitions.entries()) {
        this.#options.onProgress(`reading definition ${index + 1} of ${this.#definitions.length}`)
        yield* this.#read(definition)
      }
      yield* this.#discover()
      const samples = this.#choose()
      for (const [index, sample] of samples.entries()) {
        this.#options.onProgress(`sample ${index + 1} of ${samples.length}`)
        yield {
          subject: 'sample',
          place: sample.place,
          kind: kindOf(sample),
          lines: await this.#sample(sample),
        }
      }
    } finally {
      await this.#removeDefinitions()
    }
  }

  async #define(definition: Manifest): Promise<Comparison> {
    const { lines, ours, real } = await this.#ask('create', {
      method: 'POST',
      path: `${DEFINITIONS}?fieldValidation=Warn`,
      body: definition.object,
    })
    if (ours.code === 201 && real.code === 201) {
      const spec = definitionSpec(definition.object)
      this.#served.set(`${spec.group} ${spec.names.kind}`, spec)
    }
    return { subject: 'definition', place: definition.place, kind: nameOf(definition), lines }
  }

  /** Waits until both servers serve every version, with its schema. */
  async #untilServed(): Promise<void> {
    const deadline = clock.monotonic() + 120_000
    for (const spec of this.#served.values()) {
      for (const version of spec.versions.filter(({ served }) => served)) {
        for (const server of [this.#options.ours, this.#options.real]) {
          const document = `/openapi/v3/apis/${spec.group}/${version.name}`
          const isServed = async (): Promise<boolean> => {
            if (spec.versions.length === 1 || isConvertible(spec, version.name)) {
              const list = await server.ask(
                { method: 'GET', path: collectionOf(spec, version.name) },
                NAMESPACE,
              )
              if (list.code !== 200) return false
            }
            const { code, text } = await server.ask({ method: 'GET', path: document }, NAMESPACE)
            return code === 200 && text.includes(`"kind":"${spec.names.kind}"`)
          }
          while (!(await isServed())) {
            if (clock.monotonic() > deadline) {
              throw new HomeostatError(
                'CRDS_NOT_SERVED',
                `${server === this.#options.ours ? 'our' : 'the real'} server does not serve ${spec.names.plural}.${spec.group} ${version.name} after two minutes`,
              )
            }
            await clock.sleep(50)
          }
        }
      }
    }
    // A kind may be served for a moment before its schema has an effect.
    await clock.sleep(1000)
  }

  async *#read(definition: Manifest): AsyncIterable<Comparison> {
    const kind = nameOf(definition)
    const { lines } = await this.#ask('read', { method: 'GET', path: `${DEFINITIONS}/${kind}` })
    yield { subject: 'definition', place: definition.place, kind, lines }
    const spec = definitionSpec(definition.object)
    if (this.#served.get(`${spec.group} ${spec.names.kind}`) !== spec) return
    const { ours, real } = this.#options
    const version = spec.versions.find(({ storage }) => storage)
    if (!version?.served || !this.#options.explains) return
    yield {
      subject: 'explain',
      place: definition.place,
      kind,
      lines: await explain(ours.kubeconfig, real.kubeconfig, spec, version.name),
    }
  }

  async *#discover(): AsyncIterable<Comparison> {
    const specs = [...this.#served.values()]
    const groups = new Set(specs.map(({ group }) => group))
    const versions = new Set(
      specs.flatMap(({ group, versions: all }) =>
        all.filter(({ served }) => served).map(({ name }) => `${group}/${name}`),
      ),
    )
    for (const path of [
      ...[...groups].map((group) => `/apis/${group}`),
      ...[...versions].map((one) => `/apis/${one}`),
    ]) {
      const { lines } = await this.#ask('discovery', { method: 'GET', path })
      yield { subject: 'discovery', place: path, kind: '', lines }
    }
    for (const version of versions) {
      this.#options.onProgress(`OpenAPI of ${version}`)
      const path = `/openapi/v3/apis/${version}`
      const { lines } = await this.#ask('openapi', { method: 'GET', path })
      yield { subject: 'openapi', place: path, kind: '', lines }
    }
  }

  /** Takes one sample of each kind in turn until there are enough, and counts the others as left out. */
  #choose(): Manifest[] {
    const kinds = new Map<string, Manifest[]>()
    for (const sample of this.#samples) {
      const reason = this.#unfit(sample)
      if (reason !== undefined) count(this.#skipped, reason)
      else kinds.set(kindOf(sample), [...(kinds.get(kindOf(sample)) ?? []), sample])
    }
    const chosen: Manifest[] = []
    for (let turn = 0; chosen.length < this.#options.limit; turn++) {
      const next = [...kinds.values()].flatMap((samples) => samples.slice(turn, turn + 1))
      if (next.length === 0) break
      chosen.push(...next.slice(0, this.#options.limit - chosen.length))
    }
    const all = [...kinds.values()].flat().length
    if (all > chosen.length) this.#skipped.set('more than the limit', all - chosen.length)
    return chosen
  }

  /** Why a sample is not compared. */
  #unfit({ object }: Manifest): string | undefined {
    const spec = this.#served.get(`${groupOf(object)} ${object.kind}`)
    if (!spec) return 'no definition of its kind'
    const version = versionOf(object)
    if (!spec.versions.some(({ name, served }) => served && name === version))
      return 'a version that is not served'
    if (!isConvertible(spec, version)) return 'a version that a webhook converts'
    return undefined
  }

  async #sample({ object }: Manifest): Promise<string[]> {
    const spec = this.#served.get(`${groupOf(object)} ${object.kind}`)
    if (!spec) return []
    const version = versionOf(object)
    const collection = collectionOf(spec, version)
    const body = {
      ...object,
      ...(object.metadata &&
        typeof object.metadata === 'object' && { metadata: metadataOf(object.metadata, spec) }),
    }
    const lines: string[] = []
    const step = async (name: string, request: FuzzRequest) => {
      const answers = await this.#ask(name, request)
      lines.push(...answers.lines)
      return answers
    }
    await step('strict', { method: 'POST', path: `${collection}?fieldValidation=Strict&dryRun=All`, body })
    const made = await step('create', { method: 'POST', path: `${collection}?fieldValidation=Warn`, body })
    const names = [nameIn(made.ours), nameIn(made.real)] as const
    if (names[0] !== undefined && names[0] === names[1]) {
      const path = `${collection}/${encodeURIComponent(names[0])}`
      await step('get', { method: 'GET', path })
      await step('table', {
        method: 'GET',
        path,
        headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      })
      const subresources = spec.versions.find(({ name }) => name === version)?.subresources
      if (subresources?.status !== undefined && object['status'] !== undefined) {
        await step('status', {
          method: 'PATCH',
          path: `${path}/status?fieldValidation=Warn`,
          type: 'application/merge-patch+json',
          body: { status: object['status'] },
        })
      }
      await step('apply', {
        method: 'PATCH',
        path: `${path}?fieldManager=samples&force=true&fieldValidation=Warn`,
        type: 'application/apply-patch+yaml',
        body,
      })
      await step('patch', {
        method: 'PATCH',
        path,
        type: 'application/merge-patch+json',
        body: { metadata: { finalizers: null, annotations: { 'samples.example.com/patched': 'yes' } } },
      })
    }
    await Promise.all([
      this.#remove(this.#options.ours, collection, names[0]),
      this.#remove(this.#options.real, collection, names[1]),
    ])
    return lines
  }

  async #remove(server: ComparedServer, collection: string, name: string | undefined): Promise<void> {
    if (name === undefined) return
    const path = `${collection}/${encodeURIComponent(name)}`
    await server.ask(
      {
        method: 'PATCH',
        path,
        type: 'application/merge-patch+json',
        body: { metadata: { finalizers: null } },
      },
      NAMESPACE,
    )
    await server.ask({ method: 'DELETE', path }, NAMESPACE)
  }

  async #removeDefinitions(): Promise<void> {
    for (const server of [this.#options.ours, this.#options.real]) {
      for (const definition of this.#definitions) {
        await server.ask({ method: 'DELETE', path: `${DEFINITIONS}/${nameOf(definition)}` }, NAMESPACE)
      }
      for (const definition of this.#definitions) {
        const path = `${DEFINITIONS}/${nameOf(definition)}`
        while ((await server.ask({ method: 'GET', path }, NAMESPACE)).code !== 404) await clock.sleep(50)
      }
    }
  }

  async #ask(
    step: string,
    request: FuzzRequest,
  ): Promise<{ ours: RawAnswer; real: RawAnswer; lines: string[] }> {
    const { ours: a, real: b, since } = this.#options
    const [ours, real] = await Promise.all([a.ask(request, NAMESPACE), b.ask(request, NAMESPACE)])
    const { metadata } = (request.body ?? {}) as { metadata?: { generateName?: unknown } | null }
    const generateName = typeof metadata?.generateName === 'string' ? metadata.generateName : undefined
    const known = { since, generateName }
    const lines = answerDifferences(
      comparableAnswer(steady(ours), known),
      comparableAnswer(steady(real), known),
    )
    return { ours, real, lines: lines.map((line) => `${step}: ${line}`) }
  }
}

/**
 * Sorts what the real server gives in no certain order: kinds in discovery, and conditions of a definition. Ages in tables
 * are all the same.
 */
function steady(answer: RawAnswer): RawAnswer {
  if (answer.text.startsWith('{"kind":"APIResourceList"')) {
    const list = JSON.parse(answer.text) as { resources: { name: string }[] }
    list.resources.sort((a, b) => (a.name < b.name ? -1 : 1))
    return { ...answer, text: JSON.stringify(list) }
  }
  if (answer.text.startsWith('{"kind":"CustomResourceDefinition"')) {
    const definition = JSON.parse(answer.text) as { status?: { conditions?: { type: string }[] } }
    definition.status?.conditions?.sort((a, b) => (a.type < b.type ? -1 : 1))
    return { ...answer, text: JSON.stringify(definition) }
  }
  if (answer.text.startsWith('{"kind":"Table"')) {
    // A second may pass between the two servers' answers.
    return { ...answer, text: answer.text.replaceAll(/"\d+s"/g, '"AGE"') }
  }
  return answer
}

/** Makes what samples need: a namespace. */
export async function prepare(server: ComparedServer): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }
  await server.ask({ method: 'POST', path: '/api/v1/namespaces', body }, NAMESPACE)
}

/** Whether objects of a version are stored and read without a webhook. */
function isConvertible({ conversion, versions }: DefinitionSpec, version: string): boolean {
  return (
    conversion?.strategy !== 'Webhook' || versions.some(({ name, storage }) => storage && name === version)
  )
}

function collectionOf({ group, scope, names }: DefinitionSpec, version: string): string {
  const namespace = scope === 'Namespaced' ? `/namespaces/${NAMESPACE}` : ''
  return `/apis/${group}/${version}${namespace}/${names.plural}`
}

function metadataOf(metadata: Record<string, unknown>, { scope }: DefinitionSpec): Record<string, unknown> {
  const { namespace: _, ...rest } = metadata
  return scope === 'Namespaced' ? { ...rest, namespace: NAMESPACE } : rest
}

function nameIn({ code, text }: RawAnswer): string | undefined {
  if (code !== 201) return undefined
  return (JSON.parse(text) as { metadata: { name: string } }).metadata.name
}

function versionOf({ apiVersion }: Manifest['object']): string {
  return apiVersion.split('/')[1] ?? ''
}

function kindOf({ object }: Manifest): string {
  return `${object.apiVersion} ${object.kind}`
}

function nameOf({ object }: Manifest): string {
  return String(object.metadata?.['name'])
}
