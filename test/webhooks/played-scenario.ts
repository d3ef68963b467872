import type { ApiResponse, ManagedFieldsEntry } from '@homeostat/api'
import type { TestServer } from '../test-server.ts'
import type { ConversionScenario, Definition, Request } from './conversion-scenarios.ts'
import { wrongConverters } from './converters.ts'
import { inManagerOrder } from './in-manager-order.ts'
import type { WebhookServer } from './webhook-server.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** A scenario on its own definition. */
export class PlayedScenario {
  readonly #server: TestServer
  readonly #webhooks: WebhookServer
  readonly #group = `c${crypto.randomUUID().slice(0, 8)}.example.com`
  readonly #scenario: ConversionScenario
  /** The path of the configuration of its admission webhook. */
  #configuration: string | undefined
  #definition: Definition
  /** The objects as they were last answered, by name. */
  readonly #seen = new Map<string, any>()

  constructor(server: TestServer, webhooks: WebhookServer, scenario: ConversionScenario) {
    this.#server = server
    this.#webhooks = webhooks
    this.#scenario = scenario
    this.#definition = {
      converter: 'good',
      storage: 'v1',
      strategy: 'Webhook',
      reviewVersions: ['v1'],
      ...scenario.definition,
    }
  }

  get #path(): string {
    return `${DEFINITIONS}/things.${this.#group}`
  }

  /** Creates the definition, and waits until it is in effect. */
  async install(): Promise<void> {
    const body = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${this.#group}` },
      spec: {
        group: this.#group,
        scope: 'Namespaced',
        names: { plural: 'things', singular: 'thing', kind: 'Thing' },
        ...this.#spec(),
      },
    }
    const answer = await this.#server.call('POST', DEFINITIONS, { body })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    await this.#inEffect()
  }

  /** Creates the configuration of the scenario's admission webhook, if it has one, and waits until it is called. */
  async admit(): Promise<void> {
    if (!this.#scenario.admission) return
    const { plugin, behaviour } = this.#scenario.admission
    const kind = plugin === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration'
    this.#configuration = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s/${this.#group}`
    const rule = { apiGroups: [this.#group], apiVersions: ['v1'], resources: ['things'] }
    const body = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: this.#group },
      webhooks: [
        {
          name: 'things.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: this.#webhooks.url(behaviour), caBundle: this.#webhooks.caBundle },
          rules: [{ ...rule, operations: ['CREATE', 'UPDATE'] }],
        },
      ],
    }
    const path = this.#configuration.slice(0, this.#configuration.lastIndexOf('/'))
    const answer = await this.#server.call('POST', path, { body })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    await this.#server.until('the admission webhook is called', async () => {
      const before = this.#webhooks.reviews.length
      await this.#call({
        method: 'POST',
        path: 'v1/things?dryRun=All',
        body: { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'probe' }, spec: { size: '1x1' } },
      })
      return this.#webhooks.reviews.slice(before).some(({ webhook }) => webhook === behaviour)
    })
  }

  async define(change: Partial<Definition>): Promise<void> {
    this.#definition = { ...this.#definition, ...change }
    const answer = await this.#server.call('PATCH', this.#path, { body: { spec: this.#spec() } })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    await this.#inEffect()
  }

  async uninstall(): Promise<void> {
    if (this.#configuration) await this.#server.call('DELETE', this.#configuration)
    // A converter that does not work would keep the objects.
    await this.#server.call('PATCH', this.#path, {
      body: { spec: { conversion: { strategy: 'None', webhook: null } } },
    })
    await this.#server.call('DELETE', this.#path)
  }

  #spec(): object {
    const { converter, storage, strategy, reviewVersions, isPinned, unserved } = this.#definition
    const caBundle = isPinned ? this.#webhooks.certificate : this.#webhooks.caBundle
    const clientConfig = this.#definition.clientConfig ?? { url: this.#webhooks.url(converter), caBundle }
    const conversion =
      strategy === 'None'
        ? { strategy, webhook: null }
        : { strategy, webhook: { conversionReviewVersions: reviewVersions, clientConfig } }
    const versions = (['v1', 'v2'] as const).map((name) => ({
      name,
      served: name !== unserved,
      storage: name === storage,
      ...versionSpec(name),
    }))
    return { conversion, versions }
  }

  /**
   * Waits until the server uses the definition, which a real server does a moment after it has answered. What a dry
   * run through the version that is not stored asks of the webhook shows it, or that it asks nothing.
   */
  async #inEffect(): Promise<void> {
    const { converter, storage, strategy, clientConfig, unserved } = this.#definition
    const other = storage === 'v1' ? 'v2' : 'v1'
    const probe = `probe-${crypto.randomUUID().slice(0, 8)}`
    await this.#server.until('the definition is in effect', async () => {
      const before = this.#webhooks.reviews.length
      const answer = await this.#call({
        method: 'POST',
        path: `${other}/things?dryRun=All`,
        body: { apiVersion: other, kind: 'Thing', metadata: { name: probe }, spec: {} },
      })
      const asked = this.#webhooks.reviews
        .slice(before)
        .find(
          ({ webhook, review }) =>
            webhook === converter &&
            review.request.desiredAPIVersion === `${this.#group}/${storage}` &&
            review.request.objects[0].metadata.name === probe,
        )
      const gone =
        unserved === undefined ||
        (await this.#call({ method: 'GET', path: `${unserved}/things` })).status === 404
      if (strategy === 'None') return answer.status === 201 && !asked && gone
      return (clientConfig ? answer.status === 500 : asked !== undefined) && gone
    })
  }

  async send(request: Request): Promise<object> {
    const before = this.#webhooks.reviews.length
    const answer = await this.#call(request)
    await this.#awaitCache(request, answer.body)
    const reviews = this.#webhooks.reviews
      .slice(before)
      .filter(({ review }) => review.kind === 'AdmissionReview')
      .map(({ review: { request: asked } }) => ({
        kind: asked.kind,
        requestKind: asked.requestKind,
        object: asked.object?.spec,
        oldObject: asked.oldObject?.spec,
      }))
    return {
      step: `${request.method} ${request.path}`,
      status: answer.status,
      ...(answer.headers['warning'] !== undefined && { warning: answer.headers['warning'] }),
      body: this.#stable(answer.body),
      ...(reviews.length > 0 && { reviews: this.#stable(reviews) }),
    }
  }

  async #call({ method, path, body, contentType, accept }: Request) {
    const named = typeof body === 'string' ? this.#seen.get(body.slice(1, -1)) : body
    const text = JSON.stringify(named, (key, value: unknown) => {
      if (key === 'apiVersion' && (value === 'v1' || value === 'v2')) return `${this.#group}/${value}`
      if (key === 'resourceVersion' && typeof value === 'string' && value.startsWith('<'))
        return this.#seen.get(value.slice(1, -1)).metadata.resourceVersion
      return value
    })
    const answer = await this.#server.call(method, this.#below(path), {
      ...(text !== undefined && { body: text }),
      contentType,
      accept,
    })
    const name = answer.body?.metadata?.name
    if (answer.status < 300 && answer.body?.kind === 'Thing') this.#seen.set(name, answer.body)
    return answer
  }

  #below(path: string): string {
    if (path === 'definition') return this.#path
    return `/apis/${this.#group}/${path.replace('/things', `/namespaces/${this.#server.namespace}/things`)}`
  }

  /**
   * Waits until the caches of a real server have seen a write: what it does next depends on them. The cache of a version that
   * objects cannot be converted to never sees it, and a request would wait for it for three seconds.
   */
  async #awaitCache({ method, path }: Request, body: any): Promise<void> {
    const { name, resourceVersion } = body?.metadata ?? {}
    if (method === 'GET' || path.includes('dryRun') || body?.kind !== 'Thing' || !resourceVersion) return
    const isBroken = Object.hasOwn(wrongConverters, this.#definition.converter)
    for (const version of isBroken ? [path.slice(0, 2)] : ['v1', 'v2'])
      await this.#server.call(
        'GET',
        this.#below(`${version}/things/${name}?resourceVersion=${resourceVersion}`),
      )
  }

  async watch(step: {
    watch: string
    accept?: string
    events: number
    steps: readonly Request[]
  }): Promise<object> {
    const url = new URL(this.#below(step.watch), 'http://server')
    url.searchParams.set('watch', 'true')
    const ended = new AbortController()
    const response = await this.#server.transport.send({
      method: 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: { accept: step.accept ?? 'application/json' },
      signal: ended.signal,
    })
    const reading = readEvents(response.body, step.events)
    const answers: object[] = []
    for (const request of step.steps) answers.push(await this.send(request))
    let isRead = false
    void reading.finally(() => (isRead = true))
    await this.#server.until('the watch is done', async () => isRead)
    const { events, isEnded } = await reading
    ended.abort()
    return {
      watch: step.watch,
      status: response.status,
      events: events.map((event) => this.#stable(event)),
      isEnded,
      answers,
    }
  }

  /** A JSON value with its keys in order, and without what differs from one server to the next. */
  #stable(value: unknown): unknown {
    const text = JSON.stringify(value, (key, part: unknown) => {
      if (key === 'managedFields')
        return inManagerOrder(part as ManagedFieldsEntry[]).map((entry) =>
          inOrder({ ...entry, time: undefined }),
        )
      if (/Timestamp$|^lastTransitionTime$/.test(key) && part !== null) return 'time'
      if (key === 'resourceVersion') return key
      if (key === 'continue' && part !== '') return 'continue'
      if (key === 'caBundle') return 'bundle'
      return inOrder(part)
    })
    return JSON.parse(
      text
        .replaceAll(this.#server.namespace, 'the-namespace')
        .replaceAll(this.#group, 'group.example.com')
        .replaceAll(`127.0.0.1:${this.#webhooks.port}`, 'webhooks')
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uid')
        .replaceAll(/'\{\\"apiVersion.*?\}'/g, 'the object'),
    )
  }
}

function versionSpec(version: 'v1' | 'v2'): object {
  const fields =
    version === 'v1'
      ? { size: { type: 'string' }, note: { type: 'string', default: 'none' } }
      : {
          width: { type: 'integer', maximum: 1000 },
          height: { type: 'integer' },
          color: { type: 'string', default: 'red' },
        }
  const spec = {
    type: 'object',
    properties: { ...fields, replicas: { type: 'integer' } },
    ...(version === 'v2' && {
      'x-kubernetes-validations': [
        {
          rule: '!has(self.width) || !has(oldSelf.width) || self.width >= oldSelf.width',
          message: 'must not shrink',
        },
      ],
    }),
  }
  const status = {
    type: 'object',
    properties: { replicas: { type: 'integer' }, phase: { type: 'string' } },
  }
  const column = version === 'v1' ? 'size' : 'color'
  return {
    selectableFields: [{ jsonPath: `.spec.${column}` }],
    additionalPrinterColumns: [{ name: column, type: 'string', jsonPath: `.spec.${column}` }],
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
  }
}

/** The first events of a watch, and whether the server ended it before there were enough. */
async function readEvents(
  body: ApiResponse['body'],
  count: number,
): Promise<{ events: unknown[]; isEnded: boolean }> {
  const events: unknown[] = []
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    text += decoder.decode(chunk, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    events.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line)))
    if (events.length >= count) return { events, isEnded: false }
  }
  return { events, isEnded: true }
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
