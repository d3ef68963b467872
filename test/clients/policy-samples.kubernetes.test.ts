import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isJsonObject, SystemClock } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { connect, loadConfig, type Transport } from 'homeostat'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { build, cacheFolder, PeerUnavailable } from '../../benchmarks/runtime/builds.ts'
import { moduleFolder } from '../crds/module-folder.ts'
import { callJson, type JsonAnswer } from '../json-call.ts'
import { goTestResults } from './go-test-results.ts'

const isWanted = process.env['HOMEOSTAT_BUILD_CLIENTS'] === '1'
const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-policies-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe.skipIf(!isWanted)(
  'policies of other projects on our API server and on the real one',
  { timeout: 1_800_000 },
  () => {
    test("Kubernetes' own tests of the Pod Security Standards pass on both", async ({ skip }) => {
      const source = join(import.meta.dirname, 'pod-security')
      const peer = 'pod-security-v0.36.3'
      const program = join(cacheFolder(peer), 'pod-security.test')
      const args = ['CGO_ENABLED=0', 'go', 'test', '-c', '-o', program, '.']
      const steps = [{ file: 'env', args, cwd: source }]
      const toolchain = { program: 'go', from: 'https://go.dev/dl' }
      await build(
        { peer, toolchain, sources: [source], result: program, steps },
        AbortSignal.timeout(1_800_000),
      ).catch((error: unknown) => {
        if (error instanceof PeerUnavailable) skip(error.message)
        throw error
      })
      await using server = await ApiServer.start()
      await using port = await server.listen()
      const kubeconfig = join(folder, 'kubeconfig')
      writeFileSync(kubeconfig, port.kubeconfig(), { mode: 0o600 })
      const ours = await goTestResults(program, kubeconfig)
      expect(ours).toEqual(await goTestResults(program, inject('kubernetes').kubeconfig))
      expect(ours.filter(([, result]) => result !== 'PASS')).toEqual([])
      expect(ours.length).toBeGreaterThan(200)
    })

    test("the samples of Kyverno's and Kubernetes' tests are answered alike", async ({ skip }) => {
      const modules = ['github.com/kyverno/kyverno@v1.19.1', 'k8s.io/kubernetes@v1.36.3']
      const folders = await Promise.all(modules.map((module) => moduleFolder(module))).catch((error: Error) =>
        skip(error.message),
      )
      const samples = folders.flatMap((module) => readSamples(join(module, 'test')))
      expect(samples.length).toBeGreaterThan(80)
      await using server = await ApiServer.start()
      await using port = await server.listen()
      const kubeconfig = join(folder, 'kubeconfig')
      writeFileSync(kubeconfig, port.kubeconfig(), { mode: 0o600 })
      await using ours = new Subject(kubeconfig)
      await using real = new Subject(inject('kubernetes').kubeconfig)
      const answers: Answer[] = []
      for (const sample of samples) {
        const [mine, theirs] = await Promise.all([ours.play(sample), real.play(sample)])
        expect(mine, sample.place).toEqual(theirs)
        answers.push(...mine)
      }
      const count = (status: number): number => answers.filter((answer) => answer.status === status).length
      // Policies were accepted and refused objects; both must not fail alike.
      expect(count(201)).toBeGreaterThan(150)
      expect(count(422)).toBeGreaterThan(10)
    })
  },
)

interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly [field: string]: unknown
}

/** The content of one folder: policies with their bindings, and the objects to try them on. */
interface Sample {
  readonly place: string
  readonly policies: readonly KubernetesObject[]
  readonly bindings: readonly KubernetesObject[]
  readonly objects: readonly KubernetesObject[]
}

interface Answer {
  readonly request: string
  readonly status: number
  readonly body: unknown
}

const NATIVE = /^(v1|apps\/v1|batch\/v1|networking\.k8s\.io\/v1|rbac\.authorization\.k8s\.io\/v1)$/

function readSamples(root: string): Sample[] {
  const isOfPolicies = /^kind: (Validating|Mutating)AdmissionPolicy$/m
  const files = globSync('**/*.yaml', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const folders = new Set(
    files.filter((file) => isOfPolicies.test(readFileSync(file, 'utf8'))).map((file) => dirname(file)),
  )
  return [...folders].toSorted().map((place) => {
    const objects = files.filter((file) => dirname(file) === place).flatMap(objectsIn)
    const ofKind = (pattern: RegExp) => distinct(objects.filter(({ kind }) => pattern.test(kind)).map(asV1))
    return {
      place: place.slice(root.length),
      policies: ofKind(/^(Validating|Mutating)AdmissionPolicy$/),
      bindings: ofKind(/^(Validating|Mutating)AdmissionPolicyBinding$/),
      objects: objects.filter(({ apiVersion }) => NATIVE.test(apiVersion)),
    }
  })
}

function objectsIn(file: string): KubernetesObject[] {
  return parseAllDocuments(readFileSync(file, 'utf8'))
    .filter((document) => 'toJS' in document && document.errors.length === 0)
    .map((document) => document.toJS() as unknown)
    .filter((object): object is KubernetesObject => {
      if (!isJsonObject(object)) return false
      const { apiVersion, kind, metadata } = object
      return (
        typeof apiVersion === 'string' &&
        typeof kind === 'string' &&
        isJsonObject(metadata) &&
        'name' in metadata
      )
    })
}

/** Kyverno expects some of them as an older version, or with owners and a status. */
function asV1({ kind, metadata: { name }, ...object }: KubernetesObject): KubernetesObject {
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec: object['spec'] }
}

/** One object for each kind and name. */
function distinct(objects: readonly KubernetesObject[]): KubernetesObject[] {
  return [...new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object])).values()]
}

const COLLECTIONS: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
  MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
  MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
}

/** A server on which samples are played. */
class Subject implements AsyncDisposable {
  readonly #transport: Transport
  readonly #clock = new SystemClock()
  readonly #resources = new Map<string, Promise<JsonAnswer>>()
  #markers = 0

  constructor(kubeconfig: string) {
    this.#transport = connect(loadConfig({ kubeconfig }), { clock: this.#clock })
  }

  /** Makes the policies, tries the objects, and takes the policies away again. */
  async play({ policies, bindings, objects }: Sample): Promise<Answer[]> {
    const answers: Answer[] = []
    const made: string[] = []
    const create = async (object: KubernetesObject): Promise<void> => {
      const collection = `${ADMISSION}/${COLLECTIONS[object.kind]}`
      const answer = await this.#call('POST', collection, object)
      answers.push(comparable(`${object.kind} ${object.metadata.name}`, answer))
      if (answer.status === 201) made.push(`${collection}/${object.metadata.name}`)
    }
    for (const policy of policies) await create(policy)
    for (const binding of [...bindings, ...missingBindings(policies, bindings)]) await create(binding)
    await this.#inEffect(made)
    for (const object of objects) {
      const path = await this.#collectionOf(object)
      if (path === undefined) continue
      answers.push(
        comparable(`${object.kind} ${object.metadata.name}`, await this.#call('POST', path, object)),
      )
    }
    for (const path of made.toReversed()) await this.#call('DELETE', path)
    await this.#gone()
    return answers
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close()
  }

  /** A real server reads policies late. It reads them in order: when a later one is in effect, so are the others. */
  async #inEffect(made: string[]): Promise<void> {
    const name = `marker-${this.#markers++}`
    const matchConstraints = {
      resourceRules: [
        {
          apiGroups: ['coordination.k8s.io'],
          apiVersions: ['*'],
          operations: ['CREATE'],
          resources: ['leases'],
        },
      ],
    }
    const kinds = {
      Validating: { validations: [{ expression: '!has(object.metadata.labels)', message: name }] },
      Mutating: {
        reinvocationPolicy: 'Never',
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: {
              expression: `Object{metadata: Object.metadata{labels: {"marker": "${name}"}}}`,
            },
          },
        ],
      },
    }
    for (const [kind, spec] of Object.entries(kinds)) {
      const apiVersion = 'admissionregistration.k8s.io/v1'
      const policy = {
        apiVersion,
        kind: `${kind}AdmissionPolicy`,
        metadata: { name },
        spec: { matchConstraints, ...spec },
      }
      const binding = {
        apiVersion,
        kind: `${kind}AdmissionPolicyBinding`,
        metadata: { name },
        spec: { policyName: name, ...(kind === 'Validating' && { validationActions: ['Deny'] }) },
      }
      for (const object of [policy, binding]) {
        const collection = `${ADMISSION}/${COLLECTIONS[object.kind]}`
        const { status, body } = await this.#call('POST', collection, object)
        if (status !== 201) throw new Error(`the marker was refused: ${JSON.stringify(body)}`)
        made.push(`${collection}/${name}`)
      }
    }
    // The mutating one adds the label that the validating one refuses.
    await this.#until((answer) => answer.includes(`ValidatingAdmissionPolicy '${name}'`))
  }

  /** Waits until no policy that was made answers any more. */
  async #gone(): Promise<void> {
    await this.#until((answer) => !answer.includes('marker-'))
  }

  /** Waits until a request that the markers concern is answered so. */
  async #until(isAnswered: (answer: string) => boolean): Promise<void> {
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'probe' } }
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
    const deadline = this.#clock.monotonic() + 90_000
    while (!isAnswered(JSON.stringify((await this.#call('POST', path, lease)).body))) {
      if (this.#clock.monotonic() > deadline) throw new Error('the policies did not change in 90 s')
      await this.#clock.sleep(100)
    }
  }

  /** Where an object of a kind is created; a missing namespace is made. */
  async #collectionOf({ apiVersion, kind, metadata }: KubernetesObject): Promise<string | undefined> {
    const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
    const known = this.#resources.get(root) ?? this.#call('GET', root)
    this.#resources.set(root, known)
    const resources = (await known).body.resources as { name: string; kind: string; namespaced: boolean }[]
    const resource = resources.find((one) => one.kind === kind && !one.name.includes('/'))
    if (!resource) return undefined
    if (!resource.namespaced) return `${root}/${resource.name}`
    const { namespace = 'default' } = metadata
    return `${root}/namespaces/${namespace}/${resource.name}`
  }

  #call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<JsonAnswer> {
    const isTrial = method === 'POST' && !path.startsWith(ADMISSION)
    const query = isTrial ? '?dryRun=All' : ''
    return callJson((request) => this.#transport.send(request), method, `${path}${query}`, { body })
  }
}

/** Bindings for policies that have none, so that they are in effect. */
function missingBindings(
  policies: readonly KubernetesObject[],
  bindings: readonly KubernetesObject[],
): KubernetesObject[] {
  const bound = new Set(bindings.map(({ spec }) => (spec as { policyName?: string }).policyName))
  return policies
    .filter(({ metadata }) => !bound.has(metadata.name))
    .map(({ apiVersion, kind, metadata }) => ({
      apiVersion,
      kind: `${kind}Binding`,
      metadata: { name: `${metadata.name}-test` },
      spec: {
        policyName: metadata.name,
        ...(kind.startsWith('Validating') && { validationActions: ['Deny'] }),
      },
    }))
}

/** An answer without identities and times, and without our warning about bindings that only audit. */
function comparable(request: string, { status, headers, body }: JsonAnswer): Answer {
  const left = JSON.parse(
    JSON.stringify(body, (key, value: unknown) =>
      /^(uid|resourceVersion|creationTimestamp|managedFields|time)$/.test(key) ? undefined : value,
    ),
  ) as unknown
  const warning = headers['warning']?.replace(/(, )?299 - "No effect here: [^"]*"/, '') || undefined
  return { request, status, body: { warning, ...(left as object) } }
}
