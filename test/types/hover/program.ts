import {
  controller,
  defineKind,
  schema as s,
  type Client,
  type Kind,
  type NamedTypes,
  type ObjectMeta,
  type ObjectOf,
  type ReconcileContext,
} from 'homeostat'
import { type AppsV1, type CoreV1, Deployment, Pod } from 'homeostat/kinds'
import { Greeting } from '../greeting.ts'

declare const client: Client
const key = { namespace: 'team', name: 'web' }

const pod = await client.getOrThrow(Pod, key)
//    ^ const pod: Pod

const maybe = await client.get(Pod, key)
//    ^ const maybe: Pod | undefined

const pods = await client.list(Pod)
//    ^ const pods: readonly Pod[]

console.log(maybe, pods, Deployment.plural)
//                       ^ (alias) const Deployment: Kind<DeploymentTypes>
//                       ^ `Deployment` in `apps/v1`, in a namespace. Short: `deploy`. [API](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/#deployment-v1-apps)

console.log(pod.spec.restartPolicy, pod.spec.containers)
//              ^ (property) spec: ReadonlyFields<CoreV1.PodSpec>
//                   ^ (property) restartPolicy?: "Always" | "Never" | "OnFailure" | undefined
//                                           ^ (property) containers: readonly ReadonlyFields<CoreV1.Container>[]

console.log(pod.metadata.labels, pod.metadata.ownerReferences, pod.spec.nodeSelector)
//                       ^ (property) labels?: Readonly<Record<string, string>> | undefined
//                                            ^ (property) ownerReferences?: readonly ReadonlyFields<OwnerReference>[] | undefined
//                                                                       ^ (property) nodeSelector?: Readonly<Record<string, string>> | undefined

await client.create(Pod, {
  metadata: { ...key, labels: { app: 'web' } },
  //                  ^ (property) labels?: Record<string, string> | undefined
  spec: { containers: [{ name: 'web', ports: [{ containerPort: 80 }] }] },
  //^ (property) spec: InputFields<CoreV1.PodSpec>
  //                                  ^ (property) ports?: readonly InputFields<CoreV1.ContainerPort>[] | undefined
})

await client.status.patch(Deployment, key, { type: 'merge', body: { status: { replicas: null } } })
//                                                                  ^ (property) status?: MergePatchFields<AppsV1.DeploymentStatus> | null | undefined
//                                                                            ^ (property) replicas?: number | null | undefined

await client.patch(Deployment, key, {
  type: 'strategic',
  body: { spec: { template: { spec: { containers: [{ name: 'web', ports: null }] } } } },
  //      ^ (property) spec?: StrategicPatchFields<AppsV1.DeploymentSpec> | null | undefined
  //                                                              ^ (property) ports?: readonly StrategicPatchFields<CoreV1.ContainerPort>[] | null | undefined
})

// The compiler of today shows the comment of a field for the interface itself, and not for what is derived from it.
export const podSpec: CoreV1.PodSpec = {
  containers: [{ name: 'web', terminationMessagePolicy: 'File' }],
  //^ Required. A list by `name`. [API](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/#podspec-v1-core)
  //                          ^ Default: `File`. [API](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/#container-v1-core)
  restartPolicy: 'Always',
  //^ Default: `Always`. [API](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/#podspec-v1-core)
}

export function versionOf(metadata: ObjectMeta, context: ReconcileContext): string {
  console.log(context.clock, context.events, context.reconcileID)
  //                  ^ The time of the process, which a test moves forward: use it in place of `Date.now()` and `setTimeout`.
  //                                 ^ Writes events about objects, as `kubectl describe` and `kubectl get events` show them.
  //                                                 ^ Identifies this one call in logs, traces and on the page.
  return `${metadata.generation} ${metadata.resourceVersion}`
  //                 ^ Set by the server: counts the changes of the desired state. Changes of the status and of metadata do not count. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/)
  //                                        ^ Set by the server at each write. An update with an older one is refused as a conflict. [API](https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/)
}

export const strategy: AppsV1.DeploymentSpec = {
  selector: { matchLabels: { app: 'web' } },
  //^ (property) DeploymentSpec.selector: LabelSelector
  //^ Required. Immutable. [API](https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/#deploymentspec-v1-apps)
  template: {},
}

await client.apply(Deployment, {
  metadata: key,
  spec: { replicas: 1, selector: { matchLabels: { app: 'web' } } },
  //^ (property) spec?: PartialFields<AppsV1.DeploymentSpec> | undefined
  //      ^ (property) replicas?: number | undefined
  //                   ^ (property) selector?: PartialFields<LabelSelector> | undefined
})

await client.patch(Deployment, key, { type: 'merge', body: { spec: { replicas: null } } })
//                                                           ^ (property) spec?: MergePatchFields<AppsV1.DeploymentSpec> | null | undefined

const backup = defineKind({
  group: 'demo.example.com',
  version: 'v1',
  kind: 'Backup',
  spec: s.object({ keep: s.integer().default(7), targets: s.list(s.object({ name: s.string() })) }),
  status: s.object({ copies: s.integer().optional() }),
})
export interface Backup extends ObjectOf<typeof backup> {}
interface BackupTypes extends NamedTypes<typeof backup, Backup> {}
export const Backup: Kind<BackupTypes> = backup

const copy = await client.getOrThrow(Backup, key)
//    ^ const copy: Backup
//                        ^ (method) Reader<"cache">.getOrThrow<Kind<BackupTypes>>(kind: Kind<BackupTypes>, key: {
//                                   ^ const Backup: Kind<BackupTypes>

const copies = await client.list(Backup)
//    ^ const copies: readonly Backup[]
//                          ^ (method) Reader<"cache">.list<Kind<BackupTypes>>(kind: Kind<BackupTypes>, options?: CacheListOptions<"metadata.name" | "metadata.namespace"> | undefined): Promise<readonly Backup[]>

console.log(copy.spec.keep.toFixed(), copies[0]?.status?.copies)
//                    ^ (property) keep: number
const made = await client.create(Backup, { metadata: key, spec: { targets: [{ name: 'a' }] } })
//    ^ const made: Backup
await client.status.patch(Backup, key, { type: 'merge', body: { status: { copies: 1 } } })
await client.apply(Backup, { metadata: key, spec: { keep: made.spec.keep + 1 } })

export const backups = controller('backups')
  .for(Backup)
  .watches(Backup, (watched) => ({ namespace: watched.metadata.namespace, name: 'a' }))
  //                ^ (parameter) watched: Backup
  .reconcile(async () => {})

export const greetings = controller('a')
  .for(Greeting)
  .watches(Pod, (watched) => ({ namespace: watched.metadata.namespace, name: 'a' }))
  //             ^ (parameter) watched: Pod
  .reconcile(async () => {})
