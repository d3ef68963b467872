import { formatKey, HomeostatError, type AnyKind, type KubernetesObject, type ObjectOf } from '@homeostat/api'
import { CustomResourceDefinition } from '@homeostat/api/kinds'
import { TokenBucket } from '../queue/index.ts'
import { messageOf } from '../reconcile/index.ts'
import { isConflict, isExpired, isInvalid, isNotFound } from '../requests/index.ts'
import { compareVersions } from '../watch/index.ts'
import type { MigrationContext } from './migration-context.ts'

/**
 * The annotation of a definition with its stored version and the resourceVersion since which that version is written:
 * `v2@12345`.
 */
const STARTED = 'homeostat.dev/storage-migration'

/** How long API servers may take to apply a changed definition, in milliseconds. */
const TAKE_UP = 10_000

type Definition = ObjectOf<typeof CustomResourceDefinition>
type Outcome = 'migrated' | 'skipped' | 'failed'

/** The migration of one kind, once. */
export class KindMigration {
  readonly #kind: AnyKind
  readonly #context: MigrationContext
  readonly #pageSize: number
  readonly #bucket: TokenBucket
  readonly #counts: Record<Outcome, number> = { migrated: 0, skipped: 0, failed: 0 }
  #failure: string | undefined

  constructor(
    kind: AnyKind,
    { perSecond, pageSize }: { readonly perSecond: number; readonly pageSize: number },
    context: MigrationContext,
  ) {
    this.#kind = kind
    this.#context = context
    this.#pageSize = pageSize
    this.#bucket = new TokenBucket({ rate: perSecond, burst: 1 })
  }

  /** Resolves when there is nothing to migrate, or all objects are migrated. Rejects where one could not be, or a right is missing. */
  async run(): Promise<void> {
    const definition = await this.#definition()
    const stored = definition?.spec.versions.find(({ storage }) => storage)?.name
    const before = definition?.status?.storedVersions ?? []
    if (!definition || stored === undefined || before.every((version) => version === stored)) return
    const { log, events } = this.#context
    const resource = definition.metadata.name
    const since = await this.#begin(definition.metadata, stored)
    log.info({ resource, storedVersions: before, to: stored }, 'stored objects are migrated')
    await this.#objects({ ...this.#kind, version: stored }, since)
    if (this.#failure !== undefined) {
      throw new HomeostatError(
        'STORAGE_MIGRATION_FAILED',
        `${this.#counts.failed} objects of ${resource} could not be rewritten, so the versions ${before.join(', ')} stay in status.storedVersions: ${this.#failure}`,
      )
    }
    await this.#finish(stored)
    const { migrated, skipped } = this.#counts
    log.info({ resource, ...this.#counts }, 'all stored objects are migrated')
    events.normal(
      definition,
      'StorageMigrated',
      `${migrated} objects were rewritten in ${stored}; ${skipped} needed no rewrite`,
      { action: 'MigrateStorage' },
    )
  }

  #definition() {
    const name = `${this.#kind.plural}.${this.#kind.group}`
    return this.#context.client.live.get(CustomResourceDefinition, { name })
  }

  /**
   * The resourceVersion since which every write stores the current version. It is kept in an annotation, so that the
   * next process skips the objects that this one has rewritten. API servers apply a changed definition a moment after
   * it is stored, so the migration begins after a wait.
   */
  async #begin({ name, annotations }: Definition['metadata'], stored: string): Promise<string> {
    const [version, since] = annotations?.[STARTED]?.split('@') ?? []
    if (version === stored && since !== undefined && /^\d+$/.test(since)) return since
    const { clock, signal } = this.#context
    await clock.sleep(TAKE_UP, { signal })
    const { metadata } = await this.#annotate(name, stored)
    const { resourceVersion } = metadata
    await this.#annotate(name, `${stored}@${resourceVersion}`)
    return resourceVersion
  }

  #annotate(name: string, value: string | null) {
    const body = { metadata: { annotations: { [STARTED]: value } } }
    return this.#context.client.patch(CustomResourceDefinition, { name }, { type: 'merge', body })
  }

  /** Rewrites all objects. If the pages of a list expire, it starts again and skips the rewritten objects. */
  async #objects(kind: AnyKind, since: string): Promise<void> {
    for (;;) {
      try {
        const { client, signal } = this.#context
        for await (const page of client.pages(kind, { limit: this.#pageSize, signal })) {
          for (const object of page) await this.#object(kind, object, since)
          this.#context.log.info({ resource: `${kind.plural}.${kind.group}`, ...this.#counts }, 'migrating')
        }
        return
      } catch (error) {
        if (!isExpired(error)) throw error
        this.#context.log.debug({ error }, 'the list expired; reading it again')
      }
    }
  }

  async #object(kind: AnyKind, object: KubernetesObject, since: string): Promise<void> {
    const { client, clock, signal } = this.#context
    signal.throwIfAborted()
    const { name, namespace, resourceVersion } = object.metadata
    if ((compareVersions(resourceVersion, since) ?? 0) > 0) return this.#count('skipped')
    const wait = this.#bucket.take(clock.monotonic())
    if (wait > 0) await clock.sleep(wait, { signal })
    const key = namespace === undefined ? { name } : { namespace, name }
    try {
      // Nothing changes but the version in which it is stored.
      await client.patch(kind, key, { type: 'merge', body: { metadata: { resourceVersion } } }, { signal })
      this.#count('migrated')
    } catch (error) {
      // Another client has written or deleted it meanwhile, so that the old form is gone.
      if (isConflict(error) || isNotFound(error)) return this.#count('skipped')
      if (!isInvalid(error)) throw error
      this.#failure ??= `${formatKey(key)}: ${messageOf(error)}`
      this.#count('failed')
    }
  }

  /** Drops the old versions, unless the definition stores another one by now. */
  async #finish(stored: string): Promise<void> {
    const definition = await this.#definition()
    const name = `${this.#kind.plural}.${this.#kind.group}`
    if (definition?.spec.versions.find(({ storage }) => storage)?.name !== stored) {
      throw new HomeostatError(
        'STORAGE_MIGRATION_FAILED',
        `${name} no longer stores ${stored}: its objects are migrated to the version that it stores now`,
      )
    }
    const { resourceVersion } = definition.metadata
    const body = { metadata: { resourceVersion }, status: { storedVersions: [stored] } }
    const { client } = this.#context
    await client.status.patch(CustomResourceDefinition, { name }, { type: 'merge', body })
    await this.#annotate(name, null)
  }

  #count(outcome: Outcome): void {
    this.#counts[outcome]++
    const resource = `${this.#kind.plural}.${this.#kind.group}`
    this.#context.metrics
      .counter(
        'homeostat_storage_migration_objects_total',
        'How many stored objects a storage migration looked at.',
      )
      .add(1, { resource, result: outcome })
  }
}
