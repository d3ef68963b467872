/** Owners. */
import { controller, controllerReference, FinalizerRegistry, metadataOnly, setControllerReference, type Client } from 'homeostat'
import { ConfigMap, Deployment, Pod, Secret } from 'homeostat/kinds'
import { Greeting } from '../greeting.ts'

declare const client: Client
const key = { namespace: 'team', name: 'web' }
const greeting = await client.getOrThrow(Greeting, key)
const pod = await client.getOrThrow(Pod, key)

// @right: an owner that was read
await client.apply(ConfigMap, { metadata: { ...key, ownerReferences: [controllerReference(greeting)] } })

// @right: an owner that was read, and its kind
controllerReference(pod, Pod)

// @right: an owner of which only the metadata is known, and its kind
controllerReference({ metadata: pod.metadata }, Pod)

// @right: an owner whose kind is known only at run time
{
  const kind = await client.kinds.find('v1', 'Pod')
  const object = kind && (await client.get(kind, key))
  if (object) controllerReference(object)
}

// @right: a draft that gets an owner
{
  const draft = { metadata: { ...key, name: 'child' } }
  setControllerReference(greeting, draft)
}

// @right: finalizers whose functions are given the object and the context of the reconcile
{
  const finalizers = new FinalizerRegistry(Greeting).register('demo.example.com/poster', async ({ spec }, { client, log }) => {
    log.info({ words: spec.words, pods: (await client.list(Pod)).length }, 'cleaning up')
    return 'pending'
  })
  controller('a')
    .for(Greeting)
    .indexes(Pod, { node: ({ spec }) => spec.nodeName })
    .uses(finalizers)
    .reconcile(async (request, context) => {
      const { object, deleting } = await finalizers.finalize(context.client, greeting, context)
      if (!deleting && object.spec.words === '') await finalizers.release(context.client, object, context)
    })
}

// @right: finalizers with another context
{
  const finalizers = new FinalizerRegistry<typeof Greeting, { store: Set<string> }>(Greeting)
  finalizers.register('demo.example.com/poster', ({ metadata }, { store }) => store.delete(metadata.name))
  await finalizers.finalize(client, greeting, { store: new Set() })
}

// @wrong: finalizers without their context
// @expect: Argument of type 'undefined' is not assignable to parameter of type 'ReconcileContext<"cache">'.
await new FinalizerRegistry(Greeting).finalize(client, greeting, undefined)

// @wrong: an owner of another kind
controllerReference(
  // @expect: Argument of type 'Pod' is not assignable to parameter of type 'OwnerOfKind<NoInfer<Kind<DeploymentTypes>>>'.
  //   Types of property 'kind' are incompatible.
  //   Type '"Pod"' is not assignable to type '"Deployment"'.
  pod,
  Deployment,
)

// @wrong: an owner of another custom kind
controllerReference(
  // @expect: Argument of type 'ReadonlyFields<{ apiVersion: string; kind: "Greeting"; metadata: ObjectMeta & { namespace: string; }; } & { spec: { words: string; mood: "Happy" | "Sad"; ports?: { name: string; port: number; }[] | undefined; }; } & { ...; }>' is not assignable to parameter of type 'OwnerOfKind<NoInfer<Kind<DeploymentTypes>>>'.
  //   Types of property 'kind' are incompatible.
  //   Type '"Greeting"' is not assignable to type '"Deployment"'.
  greeting,
  Deployment,
)

// @wrong: an owner of another kind for a draft
setControllerReference(
  // @expect: Argument of type 'Pod' is not assignable to parameter of type 'OwnerOfKind<NoInfer<Kind<SecretTypes>>>'.
  //   Types of property 'kind' are incompatible.
  //   Type '"Pod"' is not assignable to type '"Secret"'.
  pod,
  { metadata: { ...key } },
  Secret,
)

// @wrong: an owner that does not say its kind
controllerReference(
  // @expect: Type '{ metadata: ReadonlyFields<ObjectMeta & { namespace: string; }>; }' is missing the following properties from type 'Owner': apiVersion, kind
  { metadata: pod.metadata },
)

// @wrong: an owner that is not stored, and so has no uid
controllerReference(
  // @expect: Property 'uid' is missing in type '{ namespace: string; name: string; }' but required in type 'OwnerMetadata'.
  { apiVersion: 'v1', kind: 'Pod', metadata: key },
)

// @wrong: the scale of an object as its owner
{
  const scale = await client.scale.get(Deployment, key)
  if (scale) {
    controllerReference(
      // @expect: Argument of type 'ReadonlyFields<Scale>' is not assignable to parameter of type '"A Scale describes an object and is not one: get the object itself"'.
      scale,
    )
  }
}

// @right: clean-ups with any result but one that means that they are not done
new FinalizerRegistry(Greeting)
  .register('demo.example.com/a', ({ metadata }, { client }) => client.delete(Secret, metadata))
  .register('demo.example.com/b', ({ metadata }) => new Set<string>().delete(metadata.name))
  .register('demo.example.com/c', async ({ spec }) => (spec.words === '' ? 'pending' : undefined))
  .register('demo.example.com/d', ({ spec }) => spec.words.trim())
  .register('demo.example.com/e', async () => fetch('http://127.0.0.1', { method: 'DELETE' }))
  .register('demo.example.com/f', async ({ spec }) => {
    if (spec.words === '') return 'pending'
    return undefined
  })
  .register('demo.example.com/i', async ({ spec }) => (spec.words === '' ? 'pending' : 'done'))
  .register('demo.example.com/g', (): any => 1)
  .register('demo.example.com/h', (): unknown => 1)

// @wrong: a clean-up that is not done and says so in other words
new FinalizerRegistry(ConfigMap).register(
  'demo.example.com/a',
  // @expect: Argument of type '({ data }: ConfigMap) => Promise<"waiting" | undefined>' is not assignable to parameter of type '"a clean-up returns 'pending' while it is not done, and otherwise nothing or 'done', not 'waiting'" & ((object: ConfigMap, context: ReconcileContext<"cache">) => Promise<...>)'.
  //   Type '({ data }: ConfigMap) => Promise<"waiting" | undefined>' is not assignable to type '"a clean-up returns 'pending' while it is not done, and otherwise nothing or 'done', not 'waiting'"'.
  async ({ data }) => (data ? 'waiting' : undefined),
)
new FinalizerRegistry(ConfigMap).register(
  'demo.example.com/b',
  // @expect: Argument of type '({ data }: ConfigMap) => Promise<{ readonly requeueAfter: "10s"; } | undefined>' is not assignable to parameter of type '"a clean-up returns 'pending' while it is not done: return { requeueAfter: … } from the reconcile" & ((object: ConfigMap, context: ReconcileContext<"cache">) => Promise<...>)'.
  //   Type '({ data }: ConfigMap) => Promise<{ readonly requeueAfter: "10s"; } | undefined>' is not assignable to type '"a clean-up returns 'pending' while it is not done: return { requeueAfter: … } from the reconcile"'.
  async ({ data }) => {
    if (data) return { requeueAfter: '10s' }
    return undefined
  },
)

// @wrong: metadata of one kind as an owner of another
{
  const [secret] = await client.list(metadataOnly(Secret))
  if (secret) {
    controllerReference(
      // @expect: Argument of type 'ObjectMetadata<"Namespaced">' is not assignable to parameter of type 'OwnerOfKind<NoInfer<Kind<DeploymentTypes>>>'.
      //   Types of property 'kind' are incompatible.
      //   Type 'string' is not assignable to type '"Deployment"'.
      secret,
      Deployment,
    )
  }
}
