import {
  Failure,
  loadWrites,
  ownWrites,
  type Registry,
  type ServerObject,
  storedObject,
} from '../../registry/index.ts'
import { selects } from '../../checks/index.ts'
import { equalJson, listOf, objectOf } from '../../schema/index.ts'
import { RBAC_GROUP } from './rbac.ts'

/** The field manager of the rules of aggregated roles. */
export const AGGREGATOR = 'clusterrole-aggregation-controller'
const CLUSTER_ROLES = `${RBAC_GROUP}/clusterroles`
const OPTIONS = { dryRun: false, fieldManager: AGGREGATOR, fieldValidation: 'Ignore', warn() {} } as const

/** The part of a ClusterRole that aggregation reads. */
interface AggregatedRole {
  readonly metadata: { readonly name?: string | undefined; readonly labels?: unknown }
  readonly rules?: unknown
  readonly aggregationRule?: unknown
}

/**
 * The rules of all roles that an aggregation rule selects, without duplicates; undefined for a role without one. The
 * roles are sorted by name.
 */
export function aggregatedRules(
  role: AggregatedRole,
  roles: readonly AggregatedRole[],
): unknown[] | undefined {
  if (typeof role.aggregationRule !== 'object' || role.aggregationRule === null) return undefined
  const rules = new Map<string, unknown>()
  for (const selector of listOf(objectOf(role.aggregationRule)['clusterRoleSelectors'])) {
    for (const other of roles) {
      if (other.metadata.name === role.metadata.name || !selects(selector, other.metadata.labels)) continue
      for (const rule of listOf(other.rules)) rules.set(JSON.stringify(rule), rule)
    }
  }
  return [...rules.values()]
}

/**
 * Keeps the rules of aggregated ClusterRoles in step with the roles that they select. It compares all of them soon
 * after any ClusterRole has changed.
 */
export class Aggregation {
  readonly #registry: Registry
  #due = false
  #running = false

  /** @param isNew Whether the server has just created the default roles, whose rules are in step. */
  constructor(registry: Registry, isNew = false) {
    this.#registry = registry
    registry.observe(({ resource }) => {
      if (resource.group === RBAC_GROUP && resource.plural === 'clusterroles') this.#look()
    })
    if (!isNew) this.#look()
  }

  #look(): void {
    this.#due = true
    if (this.#running) return
    this.#running = true
    this.#registry.soon('the rules of aggregated ClusterRoles', async () => {
      this.#running = true
      try {
        await this.#run()
      } catch (error) {
        this.#due = true
        throw error
      } finally {
        this.#running = false
      }
    })
  }

  /** Its own writes trigger another comparison, until nothing differs. */
  async #run(): Promise<void> {
    while (this.#due && !this.#registry.closed) {
      this.#due = false
      const roles = this.#registry.store.snapshot({ collection: CLUSTER_ROLES }).map(storedObject)
      for (const role of roles) {
        const rules = aggregatedRules(role, roles)
        if (rules && !equalJson(rules, listOf(role['rules']))) await this.#write(role, rules)
      }
    }
  }

  async #write({ apiVersion, kind, metadata }: ServerObject, rules: unknown[]): Promise<void> {
    const { name = '' } = metadata
    const resource = this.#registry.catalogue.find(RBAC_GROUP, 'v1', 'clusterroles')
    if (!resource || !this.#registry.get(resource, name)) return
    await loadWrites(this.#registry)
    const applied = { apiVersion, kind, metadata: { name }, rules }
    try {
      await ownWrites
        .get()
        .apply(this.#registry, { resource, name }, { applied, duplicates: [], force: true }, OPTIONS)
    } catch (error) {
      // The next change of a role triggers another attempt.
      if (!(error instanceof Failure)) throw error
    }
  }
}
