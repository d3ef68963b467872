/** Objects that are created, applied and updated. */
import { cacheKind, createOrUpdate, metadataOnly, setCondition, stripManagedFields, SystemClock, type Client, type ConditionInput } from 'homeostat'
import { ConfigMap, Deployment, Job, Namespace, NetworkPolicy, Pod, RoleBinding, Secret, Service, TokenReview } from 'homeostat/kinds'
import { Greeting } from '../greeting.ts'

declare const client: Client
const metadata = { namespace: 'team', name: 'web' }
const selector = { matchLabels: { app: 'web' } }

// @right: a Service of a type that exists
await client.apply(Service, { metadata, spec: { type: 'NodePort', ports: [{ port: 80, protocol: 'TCP' }] } })

// @right: a Pod with a generated name
await client.create(Pod, {
  metadata: { namespace: 'team', generateName: 'web-' },
  spec: { restartPolicy: 'OnFailure', containers: [{ name: 'web', imagePullPolicy: 'Always' }] },
})

// @right: an object that was read, with a change
{
  const pod = await client.getOrThrow(Pod, metadata)
  await client.update(Pod, { ...pod, metadata: { ...pod.metadata, labels: { app: 'web' } } })
}

// @right: a custom kind without what has a default
await client.create(Greeting, { metadata, spec: { words: 'hello' } })

// @right: a part of a custom kind
await client.apply(Greeting, { metadata, spec: { mood: 'Sad' } })

// @right: a question to the server, which needs no name
await client.create(TokenReview, { metadata: {}, spec: { token: 'x' } })

// @right: the status of a custom kind
await client.status.apply(Greeting, metadata, {
  conditions: [{ type: 'Ready', status: 'True', reason: 'Said', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
})

// @right: an empty status, which releases the fields that were applied before
await client.status.apply(Greeting, metadata, {})

// @right: a cache and a delete by a kind with metadata only
cacheKind(metadataOnly(Secret), { transform: stripManagedFields })
cacheKind(metadataOnly(Secret), {
  transform: (secret) => {
    secret.metadata.labels = { from: secret.metadata.namespace }
    return secret
  },
})
await client.delete(metadataOnly(Secret), metadata)

// @wrong: a type of Service that does not exist
// @expect: Type '"Nodeport"' is not assignable to type '"ClusterIP" | "ExternalName" | "LoadBalancer" | "NodePort" | undefined'. Did you mean '"NodePort"'?
await client.apply(Service, { metadata, spec: { type: 'Nodeport' } })

// @wrong: a restart policy in lower case
await client.create(Pod, {
  metadata,
  spec: {
    // @expect: Type '"never"' is not assignable to type '"Always" | "Never" | "OnFailure" | undefined'. Did you mean '"Never"'?
    restartPolicy: 'never',
    containers: [{ name: 'web' }],
  },
})

// @wrong: a protocol that widened to string on its way
{
  const ports = [{ port: 80, protocol: 'TCP' }]
  await client.apply(Service, {
    metadata,
    spec: {
      // @expect: Type '{ port: number; protocol: string; }[]' is not assignable to type 'readonly PartialFields<ServicePort>[]'.
      //   Type '{ port: number; protocol: string; }' is not assignable to type 'PartialFields<ServicePort>'.
      //   Types of property 'protocol' are incompatible.
      //   Type 'string' is not assignable to type '"SCTP" | "TCP" | "UDP" | undefined'.
      ports,
    },
  })
}

// @wrong: an operator of a label selector that does not exist
await client.apply(NetworkPolicy, {
  metadata,
  spec: {
    podSelector: {
      // @expect: Type '"Equals"' is not assignable to type '"DoesNotExist" | "Exists" | "In" | "NotIn" | undefined'.
      matchExpressions: [{ key: 'app', operator: 'Equals', values: ['web'] }],
    },
  },
})

// @wrong: a role of a kind that does not exist
await client.apply(RoleBinding, {
  metadata,
  // @expect: Type '"ClusterRoles"' is not assignable to type '"ClusterRole" | "Role" | undefined'. Did you mean '"ClusterRole"'?
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRoles', name: 'view' },
})

// @wrong: a misspelt field of a Deployment
// @expect: Object literal may only specify known properties, but 'replcas' does not exist in type 'PartialFields<DeploymentSpec>'. Did you mean to write 'replicas'?
await client.apply(Deployment, { metadata, spec: { replcas: 1 } })

// @wrong: a Deployment without a template
await client.create(Deployment, {
  metadata,
  // @expect: Property 'template' is missing in type '{ selector: { matchLabels: { app: string; }; }; }' but required in type 'InputFields<DeploymentSpec>'.
  spec: { selector },
})

// @wrong: a value of another type
// @expect: Type 'string' is not assignable to type 'number'.
await client.apply(Deployment, { metadata, spec: { replicas: '1' } })

// @wrong: data of a ConfigMap that is not text
// @expect: Type 'number' is not assignable to type 'string'.
await client.apply(ConfigMap, { metadata, data: { port: 80 } })

// @wrong: a namespaced object without a namespace
await client.apply(ConfigMap, {
  // @expect: Type '{ name: string; }' is not assignable to type 'ApplyMeta<"Namespaced">'.
  //   Property 'namespace' is missing in type '{ name: string; }' but required in type '{ namespace: string; }'.
  metadata: { name: 'web' },
})

// @wrong: an object without any name
await client.create(Job, {
  // @expect: Type '{ namespace: string; }' is not assignable to type 'CreateMeta<"Namespaced">'.
  //   Type '{ namespace: string; }' is not assignable to type 'InputFields<ObjectMetaInput> & { generateName: string; } & { namespace: string; }'.
  //   Property 'generateName' is missing in type '{ namespace: string; }' but required in type '{ generateName: string; }'.
  metadata: { namespace: 'team' },
  spec: { template: {} },
})

// @wrong: a status in an apply of the object
// @expect: Object literal may only specify known properties, and 'status' does not exist in type 'PartialFields<Rest<Deployment, "status">> & { apiVersion?: string | undefined; kind?: string | undefined; metadata: ApplyMeta<"Namespaced">; }'.
await client.apply(Deployment, { metadata, status: { replicas: 1 } })

// @wrong: a required field of a custom kind is missing
await client.create(Greeting, {
  metadata,
  // @expect: Property 'words' is missing in type '{}' but required in type 'InputFields<{ words: string; mood?: "Happy" | "Sad" | undefined; ports?: { name: string; port?: number | undefined; }[] | undefined; }>'.
  spec: {},
})

// @wrong: a value that the enum of a custom kind does not have
// @expect: Type '"Angry"' is not assignable to type '"Happy" | "Sad" | undefined'.
await client.apply(Greeting, { metadata, spec: { mood: 'Angry' } })

// @right: a condition whose status is decided at run time
{
  const status = metadata.name === 'web' ? 'True' : 'False'
  const condition = { type: 'Ready', status, reason: 'Named' } satisfies ConditionInput
  const conditions = setCondition([], condition, new SystemClock())
  await client.status.apply(Greeting, metadata, { conditions })
}

// @wrong: the status of a condition that was widened to text
{
  const condition = { type: 'Ready', status: 'True', reason: 'Named' }
  // @expect: Argument of type '{ type: string; status: string; reason: string; }' is not assignable to parameter of type 'ConditionInput'.
  //   Type '{ type: string; status: string; reason: string; }' is not assignable to type 'Readonly<Omit<Condition, "lastTransitionTime" | "message">>'.
  //   Types of property 'status' are incompatible.
  //   Type 'string' is not assignable to type '"False" | "True" | "Unknown"'.
  setCondition([], condition, new SystemClock())
}

// @wrong: the status of a condition as a boolean
await client.status.apply(Greeting, metadata, {
  // @expect: Type 'true' is not assignable to type '"False" | "True" | "Unknown" | undefined'.
  conditions: [{ type: 'Ready', status: true }],
})

// @wrong: a status of a kind that has none
// @expect: Argument of type '{}' is not assignable to parameter of type '"This kind has no status"'.
await client.status.apply(ConfigMap, metadata, {})

// @wrong: writes by a kind with metadata only
{
  const Metadata = metadataOnly(Secret)
  const secret = await client.getOrThrow(Metadata, metadata)
  // @expect: Argument of type '{ metadata: { namespace: string; name: string; }; }' is not assignable to parameter of type '"metadataOnly(…) is for reads and watches: write with the kind itself"'.
  await client.apply(Metadata, { metadata })
  // @expect: Argument of type '{ metadata: { namespace: string; name: string; }; data: {}; }' is not assignable to parameter of type '"metadataOnly(…) is for reads and watches: write with the kind itself"'.
  await client.apply(Metadata, { metadata, data: {} })
  // @expect: Argument of type '{ metadata: { namespace: string; name: string; }; }' is not assignable to parameter of type '"metadataOnly(…) is for reads and watches: write with the kind itself"'.
  await client.create(Metadata, { metadata })
  // @expect: Argument of type 'ObjectMetadata<"Namespaced">' is not assignable to parameter of type '"metadataOnly(…) is for reads and watches: write with the kind itself"'.
  await client.update(Metadata, secret)
  // @expect: Type '{ metadata: { labels: { a: string; }; }; }' is not assignable to type '"metadataOnly(…) is for reads and watches: write with the kind itself"'.
  await client.patch(Metadata, metadata, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } })
  // @expect: Type '{ metadata: { labels: { a: string; }; }; }' is not assignable to type '"metadataOnly(…) is for reads and watches: write with the kind itself"'.
  await client.patch(Metadata, metadata, { type: 'strategic', body: { metadata: { labels: { a: 'b' } } } })
  // @expect: Argument of type '{}' is not assignable to parameter of type '"metadataOnly(…) is for reads and watches: write with the kind itself"'.
  await client.status.apply(Metadata, metadata, {})
  await createOrUpdate(client, Metadata, metadata, (draft) => {
    // @expect: Property 'metadata' does not exist on type '"metadataOnly(…) is for reads and watches: write with the kind itself"'.
    draft.metadata.labels = {}
  })
}

// @wrong: a write verb that does not exist
// @expect: Object literal may only specify known properties, but 'dryrun' does not exist in type 'ApplyOptions'. Did you mean to write 'dryRun'?
await client.apply(Namespace, { metadata: { name: 'team' } }, { dryrun: true })
