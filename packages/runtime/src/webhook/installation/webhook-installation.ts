import { apiVersionOf, type Clock, type KubernetesObject } from '@homeostat/api'
import { Service } from '@homeostat/api/kinds'
import type { Client } from '../../client/index.ts'
import type { PolicyRule } from '../../controller/index.ts'
import { isConflict } from '../../requests/index.ts'
import { compareVersions } from '../../watch/index.ts'
import {
  bundleOf,
  MANAGED_BY,
  type CertificateContext,
  type TrustedAuthorities,
} from '../certificates/index.ts'
import type { ConversionEndpoint } from '../conversion/index.ts'
import type { Webhook, WebhookAddress } from '../review/index.ts'
import { configurationObject } from './configuration-object.ts'
import { definitionObject } from './definition-object.ts'
import { foreignError, type InstalledObject } from './installed-object.ts'

/** How webhooks are made known to API servers. */
export interface InstallationOptions {
  /** The name of both webhook configurations. */
  readonly name: string
  readonly address: () => WebhookAddress
  /**
   * Whether this process installs the objects. If not, others install them, and this process writes only `caBundle`.
   */
  readonly install: boolean
  /** Whether this process runs outside of the cluster, and must not take over what is installed inside. */
  readonly isLocal: boolean
  readonly fieldManager: string
}

/** How often one object is applied while others change it. */
const TRIES = 5

/** The objects of a cluster that make API servers call an operator's webhooks, and trust them. */
export class WebhookInstallation implements TrustedAuthorities {
  readonly objects: readonly InstalledObject[]
  readonly #options: InstallationOptions
  /** Which version of each object a watch has shown, and when. */
  readonly #seen = new Map<InstalledObject, { readonly resourceVersion: string; readonly at: number }>()

  constructor(webhooks: readonly Webhook[], options: InstallationOptions) {
    const { name, address, fieldManager, isLocal } = options
    const labels = isLocal ? LOCAL : MANAGED_BY
    const types = new Set(webhooks.flatMap(({ endpoints }) => endpoints.map(({ type }) => type)))
    const conversions = webhooks.flatMap(({ endpoints }) =>
      endpoints.filter((endpoint): endpoint is ConversionEndpoint => endpoint.type === 'conversion'),
    )
    this.#options = options
    this.objects = [
      ...(['mutating', 'validating'] as const)
        .filter((type) => options.install || types.has(type))
        .map((type) => configurationObject(type, webhooks, { name, address, labels })),
      ...conversions.flatMap(({ path, converters }) =>
        converters.map(({ stored }) => definitionObject(stored, { path, address, fieldManager })),
      ),
    ]
  }

  /** The rights that it needs, as RBAC has them. */
  rules(): PolicyRule[] {
    const { install, name } = this.#options
    return this.objects.flatMap(({ kind: { group, plural }, name: object }) => {
      const resource = { apiGroups: [group], resources: [plural] }
      const isConfiguration = object === name
      const verbs = ['get', 'list', 'watch', 'patch', ...(install && isConfiguration ? ['delete'] : [])]
      const create = { ...resource, verbs: ['create'] }
      return [
        { ...resource, resourceNames: [object], verbs },
        ...(install && isConfiguration ? [create] : []),
      ]
    })
  }

  async publish(
    { client, clock, log }: CertificateContext,
    authorities: readonly string[],
  ): Promise<number | undefined> {
    const caBundle = bundleOf(authorities)
    const moments: number[] = []
    for (const object of this.objects) {
      const live = await this.#publish(client, object, caBundle)
      if (live === 'absent') continue
      if (live === 'not ours') {
        const fields = { kind: object.kind.kind, name: object.name }
        log.warn(fields, 'the object names none of the operator’s webhooks, so API servers do not call them')
        continue
      }
      moments.push(this.#knownSince(object, live, clock))
    }
    return moments.length === 0 ? undefined : Math.max(...moments)
  }

  /** A watch has shown this version of the object. */
  seen(object: InstalledObject, resourceVersion: string, clock: Clock): void {
    const before = this.#seen.get(object)
    if (before && (compareVersions(resourceVersion, before.resourceVersion) ?? 1) <= 0) return
    this.#seen.set(object, { resourceVersion, at: clock.now() })
  }

  /** Removes the installed objects. */
  async remove(client: Client): Promise<void> {
    for (const object of this.objects) {
      const live = await client.get(object.kind, { name: object.name })
      if (!live || object.isForeign(live)) continue
      if (object.uninstalled) await this.#apply(client, object, object.uninstalled, live)
      else await client.delete(object.kind, { name: object.name })
    }
  }

  async #publish(
    client: Client,
    object: InstalledObject,
    caBundle: string,
  ): Promise<KubernetesObject | 'absent' | 'not ours'> {
    for (let tries = 1; ; tries++) {
      const live = await client.get(object.kind, { name: object.name })
      try {
        return await this.#write(client, object, caBundle, live)
      } catch (error) {
        if (!isConflict(error) || tries === TRIES) throw error
      }
    }
  }

  async #write(
    client: Client,
    object: InstalledObject,
    caBundle: string,
    live: KubernetesObject | undefined,
  ): Promise<KubernetesObject | 'absent' | 'not ours'> {
    const { install, isLocal } = this.#options
    if (!install) {
      const document = live && object.trust(live, caBundle)
      if (!live) return 'absent'
      return document ? this.#apply(client, object, document, live) : 'not ours'
    }
    const document = object.install(caBundle)
    if (live && isLocal && object.isForeign(live)) {
      const free = await this.#takeOver(client, object, live)
      return this.#write(client, object, caBundle, free)
    }
    if (!document) {
      if (live && !object.isForeign(live)) await client.delete(object.kind, { name: object.name })
      return 'absent'
    }
    // A definition is never created here: it would have no schema.
    if (!live && object.uninstalled) return 'absent'
    return this.#apply(client, object, document, live)
  }

  /**
   * Removes an address that another client has written, if it names a Service that does not exist. Throws if
   * the Service exists.
   */
  async #takeOver(
    client: Client,
    object: InstalledObject,
    live: KubernetesObject,
  ): Promise<KubernetesObject> {
    const { kind, name, unserved } = object
    const service = unserved?.serviceOf(live)
    if (!unserved || !service || (await client.live.get(Service, service))) throw foreignError(object)
    const { resourceVersion } = live.metadata
    const body = { ...unserved.patch, metadata: { resourceVersion } }
    return client.patch(kind, { name }, { type: 'merge', body }) as Promise<KubernetesObject>
  }

  /** Applies a document to the object as it was read, so that a slow process cannot undo what a faster one has written. */
  #apply(
    client: Client,
    { kind, name }: InstalledObject,
    document: object,
    live: KubernetesObject | undefined,
  ): Promise<KubernetesObject> {
    const { metadata } = document as { metadata?: object }
    const resourceVersion = live?.metadata.resourceVersion
    const object = {
      ...document,
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata: { ...metadata, name, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
    }
    const { fieldManager } = this.#options
    return client.apply(kind, object, { fieldManager })
  }

  /**
   * Since when API servers know the object as it is. They read it through a watch, as this process does: a server that is slow to show a
   * change here is slow to use it as well. Without a watch, it is the time of the last change, which has no fractions of a second.
   */
  #knownSince(object: InstalledObject, { metadata }: KubernetesObject, clock: Clock): number {
    const { resourceVersion, managedFields = [] } = metadata
    const seen = this.#seen.get(object)
    if (seen && (compareVersions(seen.resourceVersion, resourceVersion) ?? 0) >= 0) return seen.at
    if (seen) return clock.now()
    const times = managedFields.flatMap(({ manager, time }) =>
      manager === this.#options.fieldManager && time !== undefined ? [Date.parse(time) + 1000] : [],
    )
    return Math.max(0, ...times)
  }
}

/** The label of objects that a process outside of the cluster has installed. */
const LOCAL = { 'app.kubernetes.io/managed-by': 'homeostat-local' }
