import { HomeostatError, type ApiHandler } from '@homeostat/api'
import type { TestEnvironment } from '@homeostat/apiserver/testing'
import { clusterRole, role, type Manager } from 'homeostat'

/** The role, its binding and the account that an operator under test has. */
const NAME = 'operator-under-test'
const ACCOUNT = { kind: 'ServiceAccount', namespace: 'default', name: NAME }
const USER = {
  name: `system:serviceaccount:default:${NAME}`,
  groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
}
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

/**
 * The account that an operator runs as. It has the rights that the operator's manager declares, and no
 * others.
 */
export class OperatorAccount {
  readonly #environment: TestEnvironment
  readonly #electionNamespace: string
  /** The manager whose rules count. */
  #manager: Manager | undefined
  /** The objects that are stored, as JSON by their path. */
  readonly #stored = new Map<string, string>()

  /** `electionNamespace` is where the manager keeps its Lease. */
  constructor(environment: TestEnvironment, electionNamespace = 'default') {
    this.#environment = environment
    this.#electionNamespace = electionNamespace
  }

  /** The API as a function, for this user. */
  get handler(): ApiHandler {
    return this.#environment.handlerFor(USER)
  }

  /** From now on the user may do what this manager declares. */
  async grant(manager: Manager): Promise<void> {
    this.#manager = manager
    await this.refresh()
  }

  /** Updates the roles to the rights that the manager declares now. Returns whether anything changed. */
  async refresh(): Promise<boolean> {
    if (!this.#manager) return false
    const everywhere = clusterRole(NAME, this.#manager.rules('controllers'))
    const namespace = this.#electionNamespace
    const election = role({ namespace, name: NAME }, this.#manager.rules('namespace'))
    const inside = `${RBAC}/namespaces/${namespace}`
    const changes = [
      await this.#store(`${RBAC}/clusterroles`, everywhere),
      await this.#store(`${RBAC}/clusterrolebindings`, bindingOf('ClusterRoleBinding', everywhere)),
      await this.#store(`${inside}/roles`, election),
      await this.#store(`${inside}/rolebindings`, bindingOf('RoleBinding', election)),
    ]
    return changes.includes(true)
  }

  async #store(path: string, object: object): Promise<boolean> {
    const text = JSON.stringify(object)
    const stored = this.#stored.get(path)
    if (stored === text) return false
    const answer = await (stored === undefined
      ? this.#environment.prepare('POST', path, object)
      : this.#environment.prepare('PUT', `${path}/${NAME}`, object))
    if (answer.code >= 300) {
      throw new HomeostatError(
        'RULES_REFUSED',
        `the server refused the rules of the operator: ${answer.body.message}. To test without them, start with rights: 'all'.`,
      )
    }
    this.#stored.set(path, text)
    return true
  }
}

function bindingOf(
  kind: string,
  { apiVersion, kind: roleKind, metadata }: ReturnType<typeof clusterRole> | ReturnType<typeof role>,
) {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: NAME }
  return { apiVersion, kind, metadata, roleRef, subjects: [ACCOUNT] }
}
