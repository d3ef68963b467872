import type { OwnObject, ServerObject } from '../../registry/index.ts'

const API_VERSION = 'flowcontrol.apiserver.k8s.io/v1'
/** The annotation that says whether the server restores the spec of an object after a change. */
export const UPDATES_SPEC = 'apf.kubernetes.io/autoupdate-spec'
const ANNOTATIONS = { [UPDATES_SPEC]: 'true' }
/** The field manager that creates them. */
export const MANAGER_NAME = 'api-priority-and-fairness-config-producer-v1'

/**
 * The shares of a level, how many of them it may lend, and its queues: their number, the number for one flow, their
 * length.
 */
type Level = readonly [name: string, shares: number, lendable: number, queues?: number, hand?: number]

const LEVELS: readonly Level[] = [
  ['catch-all', 5, 0],
  ['global-default', 20, 50, 128, 6],
  ['leader-election', 10, 0, 16, 4],
  ['node-high', 40, 25, 64, 6],
  ['system', 30, 33, 64, 6],
  ['workload-high', 40, 50, 128, 6],
  ['workload-low', 100, 90, 128, 6],
]

const EVERYONE = [group('system:unauthenticated'), group('system:authenticated')]
const MANAGER = user('system:kube-controller-manager')
const SCHEDULER = user('system:kube-scheduler')
const SYSTEM_ACCOUNTS = { kind: 'ServiceAccount', serviceAccount: { namespace: 'kube-system', name: '*' } }
const EVERYTHING = {
  resourceRules: [resources(['*'], ['*'], ['*'], true)],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
}
const LEASES = ['coordination.k8s.io']
const NODES = [group('system:nodes')]

type Rule = Readonly<Record<string, unknown>>
type Schema = readonly [
  name: string,
  level: string,
  precedence: number,
  distinguisher: string | undefined,
  subjects: readonly object[],
  rule: Rule,
]

const SCHEMAS: readonly Schema[] = [
  ['exempt', 'exempt', 1, undefined, [group('system:masters')], EVERYTHING],
  [
    'probes',
    'exempt',
    2,
    undefined,
    EVERYONE,
    { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }] },
  ],
  [
    'system-leader-election',
    'leader-election',
    100,
    'ByUser',
    [MANAGER, SCHEDULER, SYSTEM_ACCOUNTS],
    { resourceRules: [resources(['get', 'create', 'update'], LEASES, ['leases'], false)] },
  ],
  [
    'system-node-high',
    'node-high',
    400,
    'ByUser',
    NODES,
    {
      resourceRules: [
        resources(['*'], [''], ['nodes', 'nodes/status'], true),
        resources(['*'], LEASES, ['leases'], false),
      ],
    },
  ],
  ['system-nodes', 'system', 500, 'ByUser', NODES, EVERYTHING],
  ['kube-controller-manager', 'workload-high', 800, 'ByNamespace', [MANAGER], EVERYTHING],
  ['kube-scheduler', 'workload-high', 800, 'ByNamespace', [SCHEDULER], EVERYTHING],
  ['kube-system-service-accounts', 'workload-high', 900, 'ByNamespace', [SYSTEM_ACCOUNTS], EVERYTHING],
  ['service-accounts', 'workload-low', 9000, 'ByUser', [group('system:serviceaccounts')], EVERYTHING],
  ['global-default', 'global-default', 9900, 'ByUser', EVERYONE, EVERYTHING],
  ['catch-all', 'catch-all', 10000, 'ByUser', EVERYONE, EVERYTHING],
]

/** Whether an object of this name is restored whatever its annotation says. */
export function isMandatory(name: string): boolean {
  return name === 'exempt' || name === 'catch-all'
}

/** The objects that are in effect also while they are not stored. */
export function mandatoryFlowObjects(): readonly ServerObject[] {
  return flowControlObjects('')
    .map(({ object }) => object)
    .filter(({ metadata }) => isMandatory(metadata.name ?? ''))
}

/** The default FlowSchemas and PriorityLevelConfigurations. `now` is the time in their conditions. */
export function flowControlObjects(now: string): OwnObject[] {
  return [
    priorityLevel('exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
    ...LEVELS.map(([name, nominalConcurrencyShares, lendablePercent, queues, handSize]) => {
      const limitResponse =
        queues === undefined
          ? { type: 'Reject' }
          : { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } }
      const limited = { nominalConcurrencyShares, limitResponse, lendablePercent }
      return priorityLevel(name, { type: 'Limited', limited })
    }),
    ...SCHEMAS.map((schema) => flowSchema(schema, now)),
  ]
}

function priorityLevel(name: string, spec: object): OwnObject {
  const metadata = { name, annotations: ANNOTATIONS }
  return {
    object: { kind: 'PriorityLevelConfiguration', apiVersion: API_VERSION, metadata, spec },
    generation: true,
    manager: MANAGER_NAME,
    unowned: { status: {} },
  }
}

function flowSchema([name, level, precedence, type, subjects, rule]: Schema, now: string): OwnObject {
  const message = `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it exists`
  return {
    object: {
      kind: 'FlowSchema',
      apiVersion: API_VERSION,
      metadata: { name, annotations: ANNOTATIONS },
      spec: {
        priorityLevelConfiguration: { name: level },
        matchingPrecedence: precedence,
        ...(type !== undefined && { distinguisherMethod: { type } }),
        rules: [{ subjects, ...rule }],
      },
    },
    generation: true,
    manager: MANAGER_NAME,
    unowned: {
      status: {
        conditions: [
          { type: 'Dangling', status: 'False', lastTransitionTime: now, reason: 'Found', message },
        ],
      },
    },
  }
}

function group(name: string): object {
  return { kind: 'Group', group: { name } }
}

function user(name: string): object {
  return { kind: 'User', user: { name } }
}

function resources(
  verbs: readonly string[],
  apiGroups: readonly string[],
  names: readonly string[],
  clusterScope: boolean,
): object {
  return { verbs, apiGroups, resources: names, ...(clusterScope && { clusterScope }), namespaces: ['*'] }
}
