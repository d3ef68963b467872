import { At, at } from '@homeostat/example-at'
import { MariaDB, mariadb } from '@homeostat/example-mariadb'
import { MarkdownView, markdownView } from '@homeostat/example-markdownview'
import { Tenant, tenant } from '@homeostat/example-tenant'
import { vcap, VcapServicesConverter } from '@homeostat/example-vcap'
import { VisitorsApp, visitors } from '@homeostat/example-visitors'
import {
  isConditionTrue,
  timestamp,
  type AnyKind,
  type Client,
  type Controller,
  type ObjectKey,
} from 'homeostat'
import {
  ClusterRole,
  ConfigMap,
  Deployment,
  Namespace,
  PersistentVolumeClaim,
  Pod,
  RoleBinding,
  Secret,
  Service,
  StatefulSet,
} from 'homeostat/kinds'
import type { Stage } from './stage.ts'

/** An object that an operator made, and a field of it that is not the operator's: it is free for others. */
export interface Child {
  readonly kind: AnyKind
  readonly key: ObjectKey
  /** A merge patch that sets the field. */
  readonly free: object
}

/** An operator of `examples/`, and what every test needs to see it at work. */
export interface Operator {
  /** Its folder in `examples/`. */
  readonly name: string
  readonly kind: AnyKind
  readonly controller: Controller
  /** Creates the object that it works on, and what that needs. */
  create(stage: Stage): Promise<ObjectKey>
  /** Whether the object has come to where it stays. */
  reached(object: any): boolean
  /** The objects that it has made by then. */
  children(stage: Stage): readonly Child[]
  /** Makes it look at the object again. Default: an annotation on the object. */
  nudge?(stage: Stage, turn: string): Promise<unknown>
  /** Changes the object so that all is written, or removed, that can be; gives what then is to happen. */
  change?(stage: Stage): Promise<() => Promise<boolean>>
}

const isReady = ({ status }: any): boolean => isConditionTrue(status?.conditions, 'Ready')
const PASSWORD = Buffer.from('example').toString('base64')
const anAnnotation = { metadata: { annotations: { 'example.com/note': 'kept' } } }
const affinity = { spec: { sessionAffinity: 'ClientIP' } }
const history = { spec: { revisionHistoryLimit: 5 } }

/** All six. What they make in no namespace begins with the name of the stage's, so that stages can share a server. */
export const operators: readonly Operator[] = [
  {
    name: 'markdownview',
    kind: MarkdownView,
    controller: markdownView,
    async create({ client, namespace }) {
      const key = { namespace, name: 'sample' }
      const markdowns = { 'SUMMARY.md': '- [One](one.md)', 'one.md': '# One' }
      await client.create(MarkdownView, { metadata: key, spec: { markdowns } })
      return key
    },
    reached: ({ status }) => isConditionTrue(status?.conditions, 'Healthy'),
    children: ({ namespace }) => [
      { kind: Deployment, key: { namespace, name: 'viewer-sample' }, free: history },
      { kind: Service, key: { namespace, name: 'viewer-sample' }, free: affinity },
      {
        kind: ConfigMap,
        key: { namespace, name: 'markdowns-sample' },
        free: { binaryData: { logo: 'AAAA' } },
      },
    ],
    async change({ client, namespace }) {
      const body = { spec: { markdowns: { 'one.md': '# Two' }, replicas: 2 } }
      await client.patch(MarkdownView, { namespace, name: 'sample' }, { type: 'merge', body })
      return async () => {
        const { data } = await client.getOrThrow(ConfigMap, { namespace, name: 'markdowns-sample' })
        return data?.['one.md'] === '# Two'
      }
    },
  },
  {
    name: 'at',
    kind: At,
    controller: at,
    async create({ client, clock, namespace }) {
      const key = { namespace, name: 'sample' }
      // A real server takes two seconds for the first object of a new kind.
      const spec = { schedule: timestamp(clock.now() + 3_000), command: 'true' }
      await client.create(At, { metadata: key, spec })
      return key
    },
    reached: ({ status }) => status?.phase === 'DONE',
    children: ({ namespace }) => [
      {
        kind: Pod,
        key: { namespace, name: 'sample-pod' },
        free: { spec: { activeDeadlineSeconds: 100_000 } },
      },
    ],
  },
  {
    name: 'mariadb',
    kind: MariaDB,
    controller: mariadb,
    async create({ client, namespace }) {
      const key = { namespace, name: 'sample' }
      await client.apply(Secret, { metadata: { namespace, name: 'root' }, data: { password: PASSWORD } })
      const spec = { rootPassword: { name: 'root' }, dataPolicy: 'Delete' as const }
      await client.create(MariaDB, { metadata: key, spec })
      return key
    },
    reached: isReady,
    children: ({ namespace }) => [
      { kind: Service, key: { namespace, name: 'sample' }, free: affinity },
      { kind: StatefulSet, key: { namespace, name: 'sample' }, free: { spec: { minReadySeconds: 1 } } },
    ],
    async change({ client, namespace }) {
      const key = { namespace, name: 'sample' }
      await client.patch(MariaDB, key, { type: 'merge', body: { spec: { port: 3307, replicas: 2 } } })
      return async () => {
        const { spec } = await client.getOrThrow(Service, key)
        return spec?.ports?.[0]?.port === 3307
      }
    },
  },
  {
    name: 'visitors',
    kind: VisitorsApp,
    controller: visitors,
    async create({ client, namespace }) {
      const key = { namespace, name: 'sample' }
      await client.create(VisitorsApp, { metadata: key, spec: { size: 2, title: 'Sample' } })
      return key
    },
    reached: isReady,
    children: ({ namespace }) => [
      ...['database', 'backend', 'frontend'].flatMap((tier) => [
        { kind: Deployment, key: { namespace, name: `sample-${tier}` }, free: history },
        { kind: Service, key: { namespace, name: `sample-${tier}` }, free: affinity },
      ]),
      { kind: Secret, key: { namespace, name: 'sample-auth' }, free: { data: { more: 'AAAA' } } },
    ],
    async change({ client, namespace }) {
      const key = { namespace, name: 'sample-auth' }
      const { data } = await client.getOrThrow(Secret, key)
      await client.patch(Secret, key, { type: 'merge', body: { data: { username: 'AAAA' } } })
      return async () => {
        const { data: healed } = await client.getOrThrow(Secret, key)
        return healed?.['username'] === data?.['username']
      }
    },
  },
  {
    name: 'vcap',
    kind: VcapServicesConverter,
    controller: vcap,
    async create({ client, namespace }) {
      const key = { namespace, name: 'sample' }
      await client.create(VcapServicesConverter, { metadata: key, spec: { secrets: ['orders'] } })
      await applyService(client, { namespace, name: 'orders' })
      return key
    },
    reached: isReady,
    children: ({ namespace }) => [
      { kind: Secret, key: { namespace, name: 'sample-vcap-services' }, free: { data: { more: 'AAAA' } } },
    ],
    async change({ client, namespace }) {
      const body = { spec: { secrets: ['late'] } }
      await client.patch(VcapServicesConverter, { namespace, name: 'sample' }, { type: 'merge', body })
      return async () => {
        if (await client.get(Secret, { namespace, name: 'sample-vcap-services' })) return false
        await applyService(client, { namespace, name: 'late' })
        return true
      }
    },
    nudge: ({ client, namespace }, turn) =>
      client.patch(
        Secret,
        { namespace, name: 'orders' },
        { type: 'merge', body: { metadata: { annotations: { turn } } } },
      ),
  },
  {
    name: 'tenant',
    kind: Tenant,
    controller: tenant,
    async create({ client, namespace }) {
      const spec = { namespaces: [`${namespace}-a`, `${namespace}-b`], members: ['alice', 'bob'] }
      await client.create(Tenant, { metadata: { name: namespace }, spec })
      return { name: namespace }
    },
    reached: isReady,
    children: ({ namespace }) => [
      { kind: Namespace, key: { name: `${namespace}-a` }, free: anAnnotation },
      { kind: ClusterRole, key: { name: `tenant-${namespace}` }, free: anAnnotation },
      {
        kind: RoleBinding,
        key: { namespace: `${namespace}-b`, name: `tenant-${namespace}-bob` },
        free: anAnnotation,
      },
    ],
    async change({ client, namespace }) {
      const body = { spec: { namespaces: [`${namespace}-a`], members: ['alice'] } }
      await client.patch(Tenant, { name: namespace }, { type: 'merge', body })
      return async () => {
        const namespaces = await client.list(Namespace)
        return namespaces.every(
          ({ metadata }) => metadata.name !== `${namespace}-b` || metadata.deletionTimestamp !== undefined,
        )
      }
    },
  },
]

/** Makes a Secret of a service, such as vcap converts. */
async function applyService(client: Client, key: ObjectKey & { namespace: string }): Promise<void> {
  const labels = { 'deployment.hsc.philips.com.cn/service': 'postgresql' }
  await client.apply(Secret, { metadata: { ...key, labels }, data: { password: PASSWORD } })
}

/** The kinds whose objects are the whole of what the operators bring about. */
export const KINDS: readonly AnyKind[] = [
  ClusterRole,
  ConfigMap,
  Deployment,
  Namespace,
  PersistentVolumeClaim,
  Pod,
  RoleBinding,
  Secret,
  Service,
  StatefulSet,
  ...operators.map(({ kind }) => kind),
]
