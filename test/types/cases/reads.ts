/** Keys, lists and what is read. */
import { type CacheFields, cacheKind, controller, createClient, type IndexOf, metadataOnly, namespacedClient, parseKey, type Client, type Reader, type ReconcileContext, type ServerFields } from 'homeostat'
import { ConfigMap, Deployment, Job, Namespace, Node, Pod, Secret } from 'homeostat/kinds'
import { Greeting } from '../greeting.ts'

declare const client: Client<ServerFields>
declare const reader: Reader<ServerFields>
const key = { namespace: 'team', name: 'web' }

// @right: an object by its name and namespace
{
  const pod = await client.get(Pod, key)
  const image: string | undefined = pod?.spec.containers[0]?.image
}

// @right: a cluster-scoped object by its name alone
await client.get(Namespace, { name: 'team' })

// @right: the default of a custom kind is there when it is read
{
  const mood: 'Happy' | 'Sad' | undefined = (await client.get(Greeting, key))?.spec.mood
}

// @right: a list by a field that the server selects Pods by
await client.list(Pod, { fields: { 'spec.nodeName': 'node-1', 'status.phase': 'Running' } })

// @right: a list by the name and the namespace of any kind
await client.list(ConfigMap, { fields: { 'metadata.name': 'a', 'metadata.namespace': 'b' } })

// @right: a list by the selectable field of a custom kind
await client.list(Greeting, { fields: { 'spec.mood': 'Sad' } })

// @right: a list by a selector in the API's syntax
await client.list(Pod, { fields: 'status.phase!=Running', labels: 'app in (a, b)' })

// @right: a list of a kind that is known only at run time
{
  const kind = await client.kinds.find('v1', 'Pod')
  if (kind) await client.list(kind, { fields: { 'spec.nodeName': 'a' } })
}

// @right: the namespace of an object of which only the metadata is read
{
  const secrets = await client.list(metadataOnly(Secret))
  const namespaces: string[] = secrets.map(({ metadata }) => metadata.namespace)
}

// @right: keys that are read from text, of kinds with namespaces and without
{
  const key = parseKey('team/web', Pod)
  if (key) await client.get(Pod, key)
  await client.get(Namespace, parseKey('team', Namespace) ?? { name: 'default' })
  controller('a').for(Greeting).watches(ConfigMap, ({ metadata }) => parseKey(metadata.annotations?.['a'], Greeting))
}

// @wrong: a key that is read from text without its kind
// @expect: Argument of type 'ObjectKey' is not assignable to parameter of type '{ readonly name: string; readonly namespace: string; }'.
//   Types of property 'namespace' are incompatible.
//   Type 'string | undefined' is not assignable to type 'string'.
//   Type 'undefined' is not assignable to type 'string'.
await client.get(Pod, parseKey('team/web'))

// @wrong: a key that is read from text and may be missing
// @expect: Argument of type '{ readonly name: string; readonly namespace: string; } | undefined' is not assignable to parameter of type '{ readonly name: string; readonly namespace: string; }'.
//   Type 'undefined' is not assignable to type '{ readonly name: string; readonly namespace: string; }'.
await client.get(Pod, parseKey('team/web', Pod))

// @wrong: a key of another kind
controller('a')
  .for(Greeting)
  .watches(
    ConfigMap,
    // @expect: Argument of type '({ metadata }: ConfigMap) => { readonly name: string; readonly namespace?: undefined; } | undefined' is not assignable to parameter of type 'KindHandler<NoInfer<Kind<ConfigMapTypes>>, ObjectKey, "Greeting"> | Mapping<ConfigMap, NamespacedRequest, "cache">'.
    //   Type '({ metadata }: ConfigMap) => { readonly name: string; readonly namespace?: undefined; } | undefined' is not assignable to type 'Mapping<ConfigMap, NamespacedRequest, "cache">'.
    //   Type '{ readonly name: string; readonly namespace?: undefined; } | undefined' is not assignable to type 'Promise<Requests<NamespacedRequest>> | Requests<NamespacedRequest>'.
    //   Type '{ readonly name: string; readonly namespace?: undefined; }' is not assignable to type 'Promise<Requests<NamespacedRequest>> | Requests<NamespacedRequest>'.
    //   Type '{ readonly name: string; readonly namespace?: undefined; }' is not assignable to type 'NamespacedRequest'.
    //   Types of property 'namespace' are incompatible.
    //   Type 'undefined' is not assignable to type 'string'.
    ({ metadata }) => parseKey(metadata.annotations?.['a'], Namespace),
  )

// @right: a value that is told by its kind
{
  const object = (await client.get(Pod, key)) ?? (await client.getOrThrow(Deployment, key))
  if (object.kind === 'Pod') await client.delete(Pod, object.metadata)
  else await client.delete(Deployment, object.metadata)
}

// @right: a phase that Pods have
{
  const isDone = (await client.getOrThrow(Pod, key)).status.phase === 'Succeeded'
}

// @right: helpers that take any client, or a client with an index
{
  const helper = (client: Client) => client.list(Job, { namespace: 'team', labels: { app: 'web' }, fields: { 'metadata.name': 'a' } })
  const reading = (reader: Reader) => reader.get(Job, key)
  const jobsOf = (client: Client<CacheFields | IndexOf<typeof Job, 'owner'>>) => client.list(Job, { fields: { owner: 'a' } })
  const live = (client: Client) => client.live.list(Job, { fields: { 'status.successful': '1' } })
  const reconcile = async (_: { name: string }, context: ReconcileContext) => void (await helper(context.client))
  controller('a').for(Greeting).owns(Job).indexes(Job, { owner: () => 'a' }).reconcile(async (request, context) => {
    await helper(context.client)
    await reading(context.client)
    await jobsOf(context.client)
    await live(context.client)
    await reconcile(request, context)
  })
  controller('a').for(Greeting).reconcile(reconcile)
  void [helper(client), reading(client), reading(client.live), helper(namespacedClient(client, 'a'))]
  const made: Client<ServerFields> = createClient({} as never)
}

// @wrong: a helper that any client may be given to, and that lists by what only the server can select by
// @expect: Object literal may only specify known properties, and ''status.successful'' does not exist in type 'CacheFieldValues<"metadata.name" | "metadata.namespace", "another field needs an index: call .indexes(…) before .watches(…) and .reconcile(…)">'.
const bySuccess = (client: Client) => client.list(Job, { fields: { 'status.successful': '1' } })

// @wrong: a reconcile of its own that lists by what a cache cannot select by
async function reconcileJobs(_: { name: string }, { client }: ReconcileContext) {
  // @expect: Object literal may only specify known properties, and 'owner' does not exist in type 'CacheFieldValues<"metadata.name" | "metadata.namespace", "another field needs an index: call .indexes(…) before .watches(…) and .reconcile(…)">'.
  await client.list(Job, { fields: { owner: 'x' } })
}

// @wrong: a cached client where one is needed that the server filters for, or one with an index
{
  const ofServer = (client: Client<ServerFields>) => client.list(Job, { fields: { 'status.successful': '1' } })
  const indexed = (client: Client<CacheFields | IndexOf<typeof Job, 'owner'>>) => client.list(Job, { fields: { owner: 'a' } })
  controller('a').for(Greeting).owns(Job).reconcile(async (_, { client }) => {
    // @expect: Argument of type 'Client<"cache">' is not assignable to parameter of type 'Client<ServerFields>'.
    //   Types of property 'fields' are incompatible.
    //   Type 'SelectableBy<"cache"> | undefined' is not assignable to type 'SelectableBy<ServerFields> | undefined'.
    //   Type 'SelectableBy<"cache">' is not assignable to type 'SelectableBy<ServerFields>'.
    //   Type 'ServerFields' is not assignable to type '"cache"'.
    //   Type '"server"' is not assignable to type '"cache"'.
    await ofServer(client)
    // @expect: Argument of type 'Client<"cache">' is not assignable to parameter of type 'Client<"cache" | IndexOf<Kind<JobTypes>, "owner">>'.
    //   Types of property 'fields' are incompatible.
    //   Type 'SelectableBy<"cache"> | undefined' is not assignable to type 'SelectableBy<"cache" | IndexOf<Kind<JobTypes>, "owner">> | undefined'.
    //   Type 'SelectableBy<"cache">' is not assignable to type 'SelectableBy<"cache" | IndexOf<Kind<JobTypes>, "owner">>'.
    //   Type '"cache" | IndexOf<Kind<JobTypes>, "owner">' is not assignable to type '"cache"'.
    //   Type 'IndexOf<Kind<JobTypes>, "owner">' is not assignable to type '"cache"'.
    await indexed(client)
  })
}

// @wrong: a list that is given the key of an object
// @expect: Argument of type '{ namespace: string; name: string; }' is not assignable to parameter of type 'ListOptions<"metadata.name" | "metadata.namespace" | "spec.hostNetwork" | "spec.nodeName" | "spec.restartPolicy" | "spec.schedulerName" | "spec.serviceAccountName" | "status.nominatedNodeName" | "status.phase" | "status.podIP">'.
//   Types of property 'name' are incompatible.
//   Type 'string' is not assignable to type '"a list cannot select by name: use get for one object, or fields: { \"metadata.name\": … }"'.
await client.list(Pod, key)

// @wrong: a deletion of all objects that is given the key of one
// @expect: Type '"web"' is not assignable to type '"a list cannot select by name: use get for one object, or fields: { \"metadata.name\": … }"'.
await client.deleteAllOf(Pod, { namespace: 'team', name: 'web' })

// @wrong: a namespaced object without a namespace
// @expect: Property 'namespace' is missing in type '{ name: string; }' but required in type '{ readonly name: string; readonly namespace: string; }'.
await client.get(Pod, { name: 'web' })

// @wrong: a cluster-scoped object with a namespace
// @expect: Type 'string' is not assignable to type 'undefined'.
await client.get(Node, { namespace: 'team', name: 'node-1' })

// @wrong: a list by a field that the server does not select Pods by
// @expect: Object literal may only specify known properties, and ''spec.nodename'' does not exist in type 'FieldValues<"metadata.name" | "metadata.namespace" | "spec.hostNetwork" | "spec.nodeName" | "spec.restartPolicy" | "spec.schedulerName" | "spec.serviceAccountName" | "status.nominatedNodeName" | "status.phase" | "status.podIP">'.
await client.list(Pod, { fields: { 'spec.nodename': 'node-1' } })

// @wrong: a list of ConfigMaps by a field of Pods
// @expect: Object literal may only specify known properties, and ''spec.nodeName'' does not exist in type 'FieldValues<"metadata.name" | "metadata.namespace">'.
await client.list(ConfigMap, { fields: { 'spec.nodeName': 'node-1' } })

// @wrong: a list of a cluster-scoped kind by a namespace
// @expect: Object literal may only specify known properties, and ''metadata.namespace'' does not exist in type 'FieldValues<"metadata.name" | "spec.unschedulable">'.
await client.list(Node, { fields: { 'metadata.namespace': 'team' } })

// @wrong: a list by a field that a custom kind does not declare as selectable
// @expect: Object literal may only specify known properties, and ''spec.words'' does not exist in type 'FieldValues<"metadata.name" | "metadata.namespace" | "spec.mood">'.
await client.list(Greeting, { fields: { 'spec.words': 'hello' } })

// @wrong: pages by a field that the server does not know
// @expect: Object literal may only specify known properties, and 'phase' does not exist in type 'FieldValues<"metadata.name" | "metadata.namespace" | "spec.hostNetwork" | "spec.nodeName" | "spec.restartPolicy" | "spec.schedulerName" | "spec.serviceAccountName" | "status.nominatedNodeName" | "status.phase" | "status.podIP">'.
for await (const page of client.pages(Pod, { fields: { phase: 'Running' } })) console.log(page.length)

// @wrong: a deletion of all by a field that the server does not know
// @expect: Object literal may only specify known properties, and 'name' does not exist in type 'FieldValues<"metadata.name" | "metadata.namespace">'.
await client.deleteAllOf(ConfigMap, { fields: { name: 'a' } })

// @wrong: an option of list that does not exist
// @expect: Object literal may only specify known properties, but 'namspace' does not exist in type 'ListOptions<"metadata.name" | "metadata.namespace" | "spec.hostNetwork" | "spec.nodeName" | "spec.restartPolicy" | "spec.schedulerName" | "spec.serviceAccountName" | "status.nominatedNodeName" | "status.phase" | "status.podIP">'. Did you mean to write 'namespace'?
await client.list(Pod, { namspace: 'team' })

// @wrong: a phase that Pods do not have
{
  const { status } = await client.getOrThrow(Pod, key)
  // @expect: This comparison appears to be unintentional because the types '"Failed" | "Pending" | "Running" | "Succeeded" | "Unknown" | undefined' and '"Done"' have no overlap.
  const isDone = status.phase === 'Done'
}

// @wrong: the spec of an object of which only the metadata is read
{
  const [secret] = await client.list(metadataOnly(Secret))
  // @expect: Property 'data' does not exist on type 'ObjectMetadata<"Namespaced">'.
  console.log(secret?.data)
}

// @wrong: a change of an object that was read
{
  const pod = await client.getOrThrow(Pod, key)
  // @expect: Cannot assign to 'labels' because it is a read-only property.
  pod.metadata.labels = {}
}

// @wrong: a change deep inside an object that was read
{
  const deployment = await client.getOrThrow(Deployment, key)
  // @expect: Property 'push' does not exist on type 'readonly ReadonlyFields<Container>[]'.
  deployment.spec.template.spec?.containers.push({ name: 'more' })
}

// @wrong: an object that may be absent
{
  const pod = await client.get(Pod, key)
  // @expect: 'pod' is possibly 'undefined'.
  console.log(pod.metadata.uid)
}

// @wrong: a transform for another kind
cacheKind(Pod, {
  transform: (pod) => {
    // @expect: Property 'replicas' does not exist on type 'PodSpec'.
    pod.spec.replicas = 1
    return pod
  },
})

// @wrong: a write with what only reads
// @expect: Property 'create' does not exist on type 'Reader<ServerFields>'.
await reader.create(ConfigMap, { metadata: key })
