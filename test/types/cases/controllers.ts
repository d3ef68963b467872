/** Controllers: what they watch, own, index and reconcile. */
import { Channel, controller, every, handlers, keyOf, metadataOnly, objectReconciler, predicates, type Reconcile, type ReconcileContext, type Request, type Result } from 'homeostat'
import { ConfigMap, Deployment, Job, Namespace, Node, Pod, ReplicaSet, Secret } from 'homeostat/kinds'
import { Greeting } from '../greeting.ts'

const ownerOf = (job: Job): string | undefined => job.metadata.ownerReferences?.[0]?.name

// @right: a mapping from another kind to requests
controller('a')
  .for(Greeting)
  .watches(ConfigMap, ({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
  .watches(Namespace, ({ metadata }) => [{ namespace: metadata.name, name: 'default' }])
  .watches(Secret, () => undefined)
  .reconcile(async () => {})

// @right: a mapping that reads
controller('a')
  .for(Greeting)
  .watches(ConfigMap, async ({ metadata: { namespace } }, { client }) => {
    const greetings = await client.list(Greeting, { namespace })
    return greetings.map(({ metadata: { name } }) => ({ namespace, name }))
  })
  .reconcile(async () => {})

// @right: keys of objects, for a namespaced kind and for one without namespaces
controller('a')
  .for(Greeting)
  .watches(ConfigMap, keyOf)
  .watches(Secret, (secret) => keyOf(secret))
  .watches(metadataOnly(Secret), keyOf)
  .watches(Namespace, async ({ metadata: { name } }, { client }) =>
    (await client.list(Greeting, { namespace: name })).map(keyOf),
  )
  .reconcile(async (request, { client }) => {
    for (const pod of await client.list(Pod)) await client.delete(Pod, keyOf(pod))
  })
controller('a').for(Namespace).watches(Node, keyOf).reconcile(async () => {})

// @right: a channel and a timer
controller('a')
  .for(Namespace)
  .watches(new Channel<string>('names'), (name) => ({ name }))
  .watches(every('1h'), (count) => ({ name: `team-${count}` }))
  .reconcile(async () => {})

// @right: handlers for the object and for its owner
controller('a')
  .for(Greeting)
  .watches(Pod, handlers.forOwner(Greeting, { everyOwner: true }))
  .watches(ConfigMap, handlers.forObject(), { predicate: predicates.labelsChanged })
  .reconcile(async () => {})

// @right: a watch of metadata, whose mapping sees the namespace
controller('a')
  .for(Greeting)
  .watches(metadataOnly(Secret), ({ metadata: { namespace, name } }) => ({ namespace, name }))
  .reconcile(async () => {})

// @right: indexes that the reconcile and a mapping list by
controller('a')
  .for(Greeting)
  .indexes(Job, { owner: ownerOf })
  .indexes(Greeting, { words: ({ spec }) => spec.words, mood: ({ spec }) => [spec.mood] })
  .watches(ConfigMap, async ({ metadata: { namespace, name } }, { client }) => {
    const greetings = await client.list(Greeting, { namespace, fields: { words: name } })
    return greetings.map(({ metadata: { name } }) => ({ namespace, name }))
  })
  .reconcile(async ({ namespace, name }, { client }) => {
    const jobs: readonly Job[] = await client.list(Job, { namespace, fields: { owner: name } })
    await client.list(Greeting, { fields: { mood: 'Sad', 'metadata.name': name } })
    await client.live.list(Pod, { fields: { 'spec.nodeName': 'a' } })
  })

// @right: a helper that takes the context of any reconcile
{
  const heal = async ({ client, log }: ReconcileContext): Promise<void> => {
    log.info({ pods: (await client.list(Pod)).length }, 'healed')
  }
  controller('a')
    .for(Greeting)
    .indexes(Job, { owner: ownerOf })
    .reconcile(async (request, context) => heal(context))
}

// @right: a reconcile that is given the object
controller('a')
  .for(Greeting)
  .reconcile(objectReconciler(Greeting, async ({ spec }, { log }) => log.info(spec.words)))

// @right: requests of a type of its own
controller('a')
  .requests<{ cluster: string; name: string }>()
  .watches(Namespace, ({ metadata: { name } }) => ({ cluster: 'edge', name }))
  .reconcile(async ({ cluster }) => {
    cluster.toUpperCase()
  })

// @wrong: a mapping that gives a number
controller('a')
  .for(Greeting)
  .watches(
    ConfigMap,
    // @expect: Argument of type '({ metadata }: ConfigMap) => number' is not assignable to parameter of type 'KindHandler<NoInfer<Kind<ConfigMapTypes>>, ObjectKey, "Greeting"> | Mapping<ConfigMap, NamespacedRequest, "cache">'.
    //   Type '({ metadata }: ConfigMap) => number' is not assignable to type 'Mapping<ConfigMap, NamespacedRequest, "cache">'.
    //   Type 'number' is not assignable to type 'Promise<Requests<NamespacedRequest>> | Requests<NamespacedRequest>'.
    ({ metadata }) => metadata.name.length,
  )

// @wrong: a mapping that forgets the namespace
controller('a')
  .for(Greeting)
  .watches(
    ConfigMap,
    // @expect: Argument of type '({ metadata: { name } }: ConfigMap) => { name: string; }' is not assignable to parameter of type 'KindHandler<NoInfer<Kind<ConfigMapTypes>>, ObjectKey, "Greeting"> | Mapping<ConfigMap, NamespacedRequest, "cache">'.
    //   Type '({ metadata: { name } }: ConfigMap) => { name: string; }' is not assignable to type 'Mapping<ConfigMap, NamespacedRequest, "cache">'.
    //   Type '{ name: string; }' is not assignable to type 'Promise<Requests<NamespacedRequest>> | Requests<NamespacedRequest>'.
    //   Property 'namespace' is missing in type '{ name: string; }' but required in type 'NamespacedRequest'.
    ({ metadata: { name } }) => ({ name }),
  )

// @wrong: a mapping that gives the whole metadata
controller('a')
  .for(Greeting)
  .watches(
    ConfigMap,
    // @expect: Argument of type '({ metadata }: ConfigMap) => ReadonlyFields<ObjectMeta & { namespace: string; }>' is not assignable to parameter of type 'KindHandler<NoInfer<Kind<ConfigMapTypes>>, ObjectKey, "Greeting"> | Mapping<ConfigMap, NamespacedRequest, "cache">'.
    //   Type '({ metadata }: ConfigMap) => ReadonlyFields<ObjectMeta & { namespace: string; }>' is not assignable to type 'Mapping<ConfigMap, NamespacedRequest, "cache">'.
    //   Type 'ReadonlyFields<ObjectMeta & { namespace: string; }>' is not assignable to type 'Promise<Requests<NamespacedRequest>> | Requests<NamespacedRequest>'.
    //   Type 'ReadonlyFields<ObjectMeta & { namespace: string; }>' is not assignable to type 'NamespacedRequest'.
    //   Types of property 'uid' are incompatible.
    //   Type 'string' is not assignable to type '"this is metadata: give its namespace and name, as keyOf(object) does"'.
    ({ metadata }) => metadata,
  )

// @wrong: a mapping that gives a list of metadata
controller('a')
  .for(Greeting)
  .watches(
    ConfigMap,
    // @expect: Argument of type '({ metadata }: ConfigMap) => ReadonlyFields<ObjectMeta & { namespace: string; }>[]' is not assignable to parameter of type 'KindHandler<NoInfer<Kind<ConfigMapTypes>>, ObjectKey, "Greeting"> | Mapping<ConfigMap, NamespacedRequest, "cache">'.
    //   Type '({ metadata }: ConfigMap) => ReadonlyFields<ObjectMeta & { namespace: string; }>[]' is not assignable to type 'Mapping<ConfigMap, NamespacedRequest, "cache">'.
    //   Type 'ReadonlyFields<ObjectMeta & { namespace: string; }>[]' is not assignable to type 'Promise<Requests<NamespacedRequest>> | Requests<NamespacedRequest>'.
    //   Type 'ReadonlyFields<ObjectMeta & { namespace: string; }>[]' is not assignable to type 'readonly NamespacedRequest[]'.
    //   Type 'ReadonlyFields<ObjectMeta & { namespace: string; }>' is not assignable to type 'NamespacedRequest'.
    //   Types of property 'uid' are incompatible.
    //   Type 'string' is not assignable to type '"this is metadata: give its namespace and name, as keyOf(object) does"'.
    ({ metadata }) => [metadata],
  )

// @wrong: a mapping to whole metadata of a controller that is for no kind
controller('a')
  .watches(
    ConfigMap,
    // @expect: Argument of type '({ metadata }: ConfigMap) => ReadonlyFields<ObjectMeta & { namespace: string; }>' is not assignable to parameter of type 'KindHandler<NoInfer<Kind<ConfigMapTypes>>, ObjectKey, string> | Mapping<ConfigMap, AnyRequest, "cache">'.
    //   Type '({ metadata }: ConfigMap) => ReadonlyFields<ObjectMeta & { namespace: string; }>' is not assignable to type 'Mapping<ConfigMap, AnyRequest, "cache">'.
    //   Type 'ReadonlyFields<ObjectMeta & { namespace: string; }>' is not assignable to type 'Promise<Requests<AnyRequest>> | Requests<AnyRequest>'.
    //   Type 'ReadonlyFields<ObjectMeta & { namespace: string; }>' is not assignable to type 'AnyRequest'.
    //   Types of property 'uid' are incompatible.
    //   Type 'string' is not assignable to type '"this is metadata: give its namespace and name, as keyOf(object) does"'.
    ({ metadata }) => metadata,
  )

// @wrong: a mapping from objects without namespaces to those that have one
controller('a')
  .for(Greeting)
  .watches(
    Namespace,
    // @expect: Argument of type '<Metadata extends ObjectKey>(object: { readonly metadata: Metadata; }) => KeyOfMetadata<Metadata>' is not assignable to parameter of type 'KindHandler<NoInfer<Kind<NamespaceTypes>>, ObjectKey, "Greeting"> | Mapping<Namespace, NamespacedRequest, "cache">'.
    //   Type '<Metadata extends ObjectKey>(object: { readonly metadata: Metadata; }) => KeyOfMetadata<Metadata>' is not assignable to type 'Mapping<Namespace, NamespacedRequest, "cache">'.
    //   Type '{ readonly name: string; readonly namespace?: undefined; }' is not assignable to type 'Promise<Requests<NamespacedRequest>> | Requests<NamespacedRequest>'.
    //   Type '{ readonly name: string; readonly namespace?: undefined; }' is not assignable to type 'NamespacedRequest'.
    //   Types of property 'namespace' are incompatible.
    //   Type 'undefined' is not assignable to type 'string'.
    keyOf,
  )

// @wrong: a mapping that misspells a field of the object
controller('a')
  .for(Greeting)
  .watches(
    ConfigMap,
    // @expect: Property 'namespase' does not exist on type 'ReadonlyFields<ObjectMeta & { namespace: string; }>'. Did you mean 'namespace'?
    ({ metadata }) => ({ namespace: metadata.namespase, name: metadata.name }),
  )

// @wrong: a mapping of a channel that takes another value
controller('a')
  .for(Namespace)
  .watches(
    new Channel<string>('names'),
    // @expect: Argument of type '(name: number) => { name: string; }' is not assignable to parameter of type 'Handler<ExternalEvent<string>, ClusterRequest, "Namespace"> | Mapping<string, ClusterRequest, "cache">'.
    //   Type '(name: number) => { name: string; }' is not assignable to type 'Mapping<string, ClusterRequest, "cache">'.
    //   Types of parameters 'name' and 'value' are incompatible.
    //   Type 'string' is not assignable to type 'number'.
    (name: number) => ({ name: String(name) }),
  )

// @wrong: a mapping from a timer to nothing that is a request
controller('a')
  .for(Namespace)
  .watches(
    every('1h'),
    // @expect: Argument of type '(count: number) => string' is not assignable to parameter of type 'Handler<ExternalEvent<number>, ClusterRequest, "Namespace"> | Mapping<number, ClusterRequest, "cache">'.
    //   Type '(count: number) => string' is not assignable to type 'Mapping<number, ClusterRequest, "cache">'.
    //   Type 'string' is not assignable to type 'Promise<Requests<ClusterRequest>> | Requests<ClusterRequest>'.
    (count) => `team-${count}`,
  )

// @wrong: requests for the owner of another kind
controller('a')
  .for(Deployment)
  .watches(
    Pod,
    // @expect: Argument of type 'Handler<ObjectEvent, ObjectKey, "ReplicaSet">' is not assignable to parameter of type 'KindHandler<NoInfer<Kind<PodTypes>>, ObjectKey, "Deployment"> | Mapping<Pod, NamespacedRequest, "cache">'.
    //   Type 'Handler<ObjectEvent, ObjectKey, "ReplicaSet">' is not assignable to type 'KindHandler<NoInfer<Kind<PodTypes>>, ObjectKey, "Deployment">'.
    //   Type '"ReplicaSet"' is not assignable to type '"Deployment"'.
    handlers.forOwner(ReplicaSet),
  )

// @wrong: options of a channel, which has none
controller('a')
  .for(Namespace)
  .watches(
    new Channel<string>('names'),
    (name) => ({ name }),
    // @expect: Argument of type '{ predicate: (event: ObjectEvent) => boolean; }' is not assignable to parameter of type 'undefined'.
    { predicate: predicates.labelsChanged },
  )

// @wrong: something that cannot be watched
controller('a')
  .for(Greeting)
  .watches(
    // @expect: Argument of type 'string' is not assignable to parameter of type 'Watchable'.
    'ConfigMap',
    () => undefined,
  )

// @wrong: a list by an index that is not declared
controller('a')
  .for(Greeting)
  .indexes(Job, { owner: ownerOf })
  .reconcile(async ({ name }, { client }) => {
    // @expect: Object literal may only specify known properties, but 'onwer' does not exist in type 'CacheFieldValues<"metadata.name" | "metadata.namespace" | "owner", "another field needs an index: call .indexes(…) before .watches(…) and .reconcile(…)">'. Did you mean to write 'owner'?
    await client.list(Job, { fields: { onwer: name } })
  })

// @wrong: a list by the index of another kind
controller('a')
  .for(Greeting)
  .indexes(Job, { owner: ownerOf })
  .reconcile(async ({ name }, { client }) => {
    // @expect: Object literal may only specify known properties, and 'owner' does not exist in type 'CacheFieldValues<"metadata.name" | "metadata.namespace", "another field needs an index: call .indexes(…) before .watches(…) and .reconcile(…)">'.
    await client.list(Pod, { fields: { owner: name } })
  })

// @wrong: a list of the cache by a field that only the server selects by
controller('a')
  .for(Greeting)
  .reconcile(async (_, { client }) => {
    // @expect: Object literal may only specify known properties, and ''spec.nodeName'' does not exist in type 'CacheFieldValues<"metadata.name" | "metadata.namespace", "another field needs an index: call .indexes(…) before .watches(…) and .reconcile(…)">'.
    await client.list(Pod, { fields: { 'spec.nodeName': 'a' } })
  })

// @wrong: an index that is used before it is declared
controller('a')
  .for(Greeting)
  .watches(ConfigMap, async ({ metadata: { namespace, name } }, { client }) => {
    // @expect: Object literal may only specify known properties, and 'words' does not exist in type 'CacheFieldValues<"metadata.name" | "metadata.namespace", "another field needs an index: call .indexes(…) before .watches(…) and .reconcile(…)">'.
    const greetings = await client.list(Greeting, { namespace, fields: { words: name } })
    return greetings.map(({ metadata: { name } }) => ({ namespace, name }))
  })
  .indexes(Greeting, { words: ({ spec }) => spec.words })

// @wrong: an index of a field that the kind does not have
controller('a')
  .for(Greeting)
  .indexes(Greeting, {
    // @expect: Property 'word' does not exist on type 'ReadonlyFields<{ words: string; mood: "Happy" | "Sad"; ports?: { name: string; port: number; }[] | undefined; }>'. Did you mean 'words'?
    words: ({ spec }) => spec.word,
  })

// @wrong: an index whose values are not text
controller('a')
  .for(Greeting)
  .indexes(Deployment, {
    // @expect: Type 'number | undefined' is not assignable to type 'string | readonly string[] | undefined'.
    //   Type 'number' is not assignable to type 'string | readonly string[] | undefined'.
    replicas: ({ spec }) => spec.replicas,
  })

// @wrong: a second kind of its own
controller('a')
  .for(Greeting)
  // @expect: Property 'for' does not exist on type 'ControllerForBuilder<Kind<Defined<ObjectSchema<{ readonly words: StringSchema<string>; readonly mood: StringSchema<"Happy" | "Sad"> & Defaulted; readonly ports: ListSchema<ObjectSchema<{ readonly name: StringSchema<string>; readonly port: NumberSchema<...> & Defaulted; }, unknown>> & Optional; }, unknown>, ... 4 mor...'.
  .for(Deployment)

// @wrong: a kind that is owned before its own kind is known
controller('a')
  // @expect: Property 'owns' does not exist on type 'ControllerBuilder<"cache">'.
  .owns(Deployment)

// @right: results of all shapes, from several places
controller('a')
  .for(Greeting)
  .reconcile(async ({ name }, { client }) => {
    if (name === 'a') return
    if (name === 'b') return { requeueAfter: '1m' }
    if (name === 'c') return { requeueAfter: (await client.list(Pod)).length }
    if (name === 'd') return { requeueAfter: `${name.length}s` }
    if (name === 'e') return { requeue: true, requeueAfter: undefined }
    return {}
  })
controller('a').for(Greeting).reconcile(() => ({ requeue: true }), { maxConcurrentReconciles: 2 })
controller('a').for(Greeting).reconcile(async () => Promise.reject(new Error('gone')))
controller('a').for(Greeting).reconcile((): never => {
  throw new Error('gone')
})

// @right: a reconcile in a function of its own, with the types of its request and its result
{
  const later = async ({ name }: Request<typeof Greeting>, { client }: ReconcileContext): Promise<Result> => {
    await client.getOrThrow(Namespace, { name })
    return { requeueAfter: '1m' }
  }
  const typed: Reconcile<Request<typeof Greeting>> = later
  controller('a').for(Greeting).reconcile(later)
  controller('a').for(Greeting).reconcile(typed)
  controller('a').for(Greeting).reconcile((request, context) => later(request, context))
  controller('a').for(Greeting).reconcile(objectReconciler(Greeting, async ({ metadata }, context) => later(metadata, context)))
}

// @wrong: a reconcile that returns what is not a result
controller('a')
  .for(Greeting)
  .reconcile(
    // @expect: Type 'Promise<{ requeuAfter: "1m"; }>' is not assignable to type 'Promise<ResultWith<"requeuAfter">> | ResultWith<"requeuAfter">'.
    //   Type 'Promise<{ requeuAfter: "1m"; }>' is not assignable to type 'Promise<ResultWith<"requeuAfter">>'.
    //   Type '{ requeuAfter: "1m"; }' is not assignable to type 'ResultWith<"requeuAfter">'.
    //   Type '{ requeuAfter: "1m"; }' is not assignable to type '{ requeuAfter?: "a result has no field requeuAfter: return { requeueAfter: … }, { requeue: true } or nothing" | undefined; }'.
    //   Types of property 'requeuAfter' are incompatible.
    //   Type '"1m"' is not assignable to type '"a result has no field requeuAfter: return { requeueAfter: … }, { requeue: true } or nothing"'.
    async () => ({ requeuAfter: '1m' }),
  )
controller('a')
  .for(Greeting)
  .reconcile(() => ({
    // @expect: Type '"1m"' is not assignable to type '"a result has no field requeuAfter: return { requeueAfter: … }, { requeue: true } or nothing"'.
    requeuAfter: '1m',
  }))

// @wrong: a misspelt result in a block, at whose head the compiler reports what it returns
controller('a')
  .for(Greeting)
  // @expect: Argument of type '({ name }: { readonly name: string; readonly namespace: string; }, { client }: ReconcileContext<"cache">) => Promise<{ requeuAfter: "1m"; } | undefined>' is not assignable to parameter of type 'CheckedReconcile<{ readonly name: string; readonly namespace: string; }, "cache", "requeuAfter">'.
  //   Type '({ name }: { readonly name: string; readonly namespace: string; }, { client }: ReconcileContext<"cache">) => Promise<{ requeuAfter: "1m"; } | undefined>' is not assignable to type '"a result has no field requeuAfter: return { requeueAfter: … }, { requeue: true } or nothing"'.
  .reconcile(async ({ name }, { client }) => {
    const pod = await client.get(Pod, { namespace: 'a', name })
    if (!pod) return
    return { requeuAfter: '1m' }
  })
controller('a')
  .for(Deployment)
  .reconcile(
    // @expect: Argument of type '({ spec }: Deployment) => Promise<{ requeuAfter: "1m"; } | undefined>' is not assignable to parameter of type 'CheckedReconcile<Deployment, "cache", "requeuAfter">'.
    //   Type '({ spec }: Deployment) => Promise<{ requeuAfter: "1m"; } | undefined>' is not assignable to type '"a result has no field requeuAfter: return { requeueAfter: … }, { requeue: true } or nothing"'.
    objectReconciler(Deployment, async ({ spec }) => {
      if (spec.paused) return
      return { requeuAfter: '1m' }
    }),
  )

// @wrong: a misspelt result in a function whose result has a type, at its key
controller('a')
  .for(Greeting)
  .reconcile(async (): Promise<Result> => {
    // @expect: Object literal may only specify known properties, but 'requeuAfter' does not exist in type 'ResultFields'. Did you mean to write 'requeueAfter'?
    return { requeuAfter: '1m' }
  })

// @wrong: a misspelt field of a result beside a right one
controller('a')
  .for(Greeting)
  // @expect: Argument of type '({ name }: { readonly name: string; readonly namespace: string; }) => Promise<{ requeueAfter: "1m"; requeuAfter?: undefined; } | { requeueAfter?: undefined; requeuAfter: "1m"; }>' is not assignable to parameter of type 'CheckedReconcile<{ readonly name: string; readonly namespace: string; }, "cache", "requeuAfter" | "requeueAfter">'.
  //   Type '({ name }: { readonly name: string; readonly namespace: string; }) => Promise<{ requeueAfter: "1m"; requeuAfter?: undefined; } | { requeueAfter?: undefined; requeuAfter: "1m"; }>' is not assignable to type '"a result has no field requeuAfter: return { requeueAfter: … }, { requeue: true } or nothing"'.
  .reconcile(async ({ name }) => {
    if (name === 'a') return { requeueAfter: '1m' }
    return { requeuAfter: '1m' }
  })
controller('a')
  .for(Greeting)
  .reconcile(() => ({
    requeueAfter: '1m',
    // @expect: Type 'true' is not assignable to type '"a result has no field requeu: return { requeueAfter: … }, { requeue: true } or nothing"'.
    requeu: true,
  }))
controller('a')
  .requests<{ cluster: string; name: string }>()
  .watches(Namespace, ({ metadata: { name } }) => ({ cluster: 'edge', name }))
  // @expect: Type 'Promise<{ requeueAfter: "1m"; after: number; } | undefined>' is not assignable to type 'Promise<ResultWith<"after" | "requeueAfter">> | ResultWith<"after" | "requeueAfter">'.
  //   Type 'Promise<{ requeueAfter: "1m"; after: number; } | undefined>' is not assignable to type 'Promise<ResultWith<"after" | "requeueAfter">>'.
  //   Type '{ requeueAfter: "1m"; after: number; } | undefined' is not assignable to type 'ResultWith<"after" | "requeueAfter">'.
  //   Type '{ requeueAfter: "1m"; after: number; }' is not assignable to type 'ResultWith<"after" | "requeueAfter">'.
  //   Type '{ requeueAfter: "1m"; after: number; }' is not assignable to type '{ after?: "a result has no field after: return { requeueAfter: … }, { requeue: true } or nothing" | undefined; requeueAfter?: number | `${number}h` | `${number}m` | `${number}ms` | `${number}s` | undefined; }'.
  //   Types of property 'after' are incompatible.
  //   Type 'number' is not assignable to type '"a result has no field after: return { requeueAfter: … }, { requeue: true } or nothing"'.
  .reconcile(async ({ cluster }) => (cluster === '' ? undefined : { requeueAfter: '1m', after: 1 }))

// @wrong: an invalid duration
controller('a')
  .for(Greeting)
  .reconcile(
    // @expect: Type 'Promise<{ requeueAfter: "1 minute"; }>' is not assignable to type 'Promise<ResultWith<"requeueAfter">> | ResultWith<"requeueAfter">'.
    //   Type 'Promise<{ requeueAfter: "1 minute"; }>' is not assignable to type 'Promise<ResultWith<"requeueAfter">>'.
    //   Type '{ requeueAfter: "1 minute"; }' is not assignable to type 'ResultWith<"requeueAfter">'.
    //   Type '{ requeueAfter: "1 minute"; }' is not assignable to type '{ requeueAfter?: number | `${number}h` | `${number}m` | `${number}ms` | `${number}s` | undefined; }'.
    //   Types of property 'requeueAfter' are incompatible.
    //   Type '"1 minute"' is not assignable to type 'number | `${number}h` | `${number}m` | `${number}ms` | `${number}s` | undefined'.
    async () => ({ requeueAfter: '1 minute' }),
  )

// @wrong: a duration with a unit that does not exist
controller('a')
  .for(Greeting)
  // @expect: Type '"2d"' is not assignable to type 'number | `${number}h` | `${number}m` | `${number}ms` | `${number}s` | undefined'.
  .options({ debounce: '2d' })

// @wrong: a duration that was widened to text
{
  const options = { debounce: '2s' }
  // @expect: Argument of type '{ debounce: string; }' is not assignable to parameter of type 'ControllerOptions'.
  //   Types of property 'debounce' are incompatible.
  //   Type 'string' is not assignable to type 'number | `${number}h` | `${number}m` | `${number}ms` | `${number}s` | undefined'.
  controller('a').for(Greeting).options(options)
}

// @wrong: an option that does not exist
controller('a')
  .for(Greeting)
  // @expect: Object literal may only specify known properties, but 'maxConcurentReconciles' does not exist in type 'ControllerOptions'. Did you mean to write 'maxConcurrentReconciles'?
  .options({ maxConcurentReconciles: 2 })

// @wrong: a right that does not exist
controller('a')
  .for(Greeting)
  // @expect: Argument of type '"remove"' is not assignable to parameter of type 'WriteVerb'.
  .writes(Pod, 'remove')
