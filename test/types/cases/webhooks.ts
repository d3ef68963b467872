/** Webhooks: admission, conversion and authentication. */
import { admission, type AnyKind, allowed, authenticated, authentication, conversion, type ConvertedOf, type Converter, customResourceDefinition, defineKind, denied, type DefaultsResult, duplicate, expectRoundTrip, type FieldError, type FieldPath, invalid, type KeyPath, type Kind, type NewObjectOf, type ObjectOf, type ObjectPath, patched, rawAdmission, required, schema as s, unauthenticated, webhookConfigurations, webhookHandler } from 'homeostat'
import { Binding, CronJob, Deployment, Pod, StatefulSet } from 'homeostat/kinds'
import { Greeting } from '../greeting.ts'

const GreetingV2 = defineKind({
  group: 'demo.example.com',
  version: 'v2',
  kind: 'Greeting',
  spec: s.object({ text: s.string(), loud: s.boolean().optional(), tone: s.object({ warm: s.boolean() }).optional() }),
  status: s.object({ said: s.string().optional() }),
})

const everything = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] } as const

// @right: defaults as a part of the object, with null to remove a field
admission(Greeting).defaults(({ spec }) => ({ spec: { mood: spec.words === '' ? 'Sad' : null } }))

// @right: defaults that change nothing, refuse, or take their time
admission(Greeting).defaults(() => undefined)
admission(Greeting).defaults(() => {})
admission(Greeting).defaults(async ({ spec }) => (spec.words === '' ? denied('no words') : { spec: { mood: 'Happy' } }))

// @right: defaults of several shapes, with parts of the given object
admission(Greeting).defaults(({ spec }) => (spec.ports ? { spec: { mood: 'Sad' } } : { metadata: { labels: { a: 'b' } } }))
admission(Deployment).defaults(({ spec }) => {
  if (spec.paused) return denied('is paused')
  const { containers } = spec.template.spec ?? { containers: [] }
  return { spec: { template: { spec: { containers: containers.map((one) => ({ ...one, imagePullPolicy: 'Always' as const })) } } } }
})
admission(Deployment, StatefulSet).options({ name: 'all.example.com' }).defaults(({ spec }) => ({ spec: { replicas: spec.replicas ?? 1 } }))

// @right: defaults in a function of its own, with the types of its argument and its result
{
  const ofGreeting = async ({ spec }: NewObjectOf<typeof Greeting>): Promise<DefaultsResult<typeof Greeting>> => ({ spec: { mood: spec.mood } })
  admission(Greeting).defaults(ofGreeting)
  const ofAny = (kind: AnyKind) => admission(kind).defaults(() => ({ spec: { some: 'thing' } }))
  const ofUnknown = (kind: Kind) => admission(kind).defaults(() => ({ spec: { some: 'thing' } }))
}

// @right: validation by paths of the kind, in lists and in maps
admission(Greeting).validates({
  create: ({ spec, metadata }, { request, warn }) => {
    if (request.dryRun) warn(`${metadata.generateName ?? metadata.name} is a dry run`)
    return [
      required('spec.words'),
      invalid('spec.ports[0].port', 'must be open'),
      ...(spec.ports ?? []).map((_, index) => duplicate(`spec.ports[${index}].name`)),
      invalid('metadata.labels[app]', 'must be known'),
    ]
  },
  update: (greeting, old) => (greeting.spec.words === old.spec.words ? [] : denied('words stay')),
  delete: async ({ metadata }) => (metadata.uid === '' ? [invalid('status.said', 'must be said')] : undefined),
})

// @right: errors in a function of its own, with paths of the kind
{
  const errorsOf = ({ spec }: NewObjectOf<typeof Greeting>): FieldError<FieldPath<typeof Greeting>>[] => {
    const errors: FieldError<FieldPath<typeof Greeting>>[] = []
    if (spec.words === '') errors.push(invalid('spec.words', 'must be said'))
    return errors
  }
  admission(Greeting).validates({ create: errorsOf, update: errorsOf })
  const inObject: FieldPath<Deployment> = 'spec.template.spec.containers[0].image'
  const inSpec: FieldPath<Deployment['spec']> = 'template.spec'
  const byKind: [FieldPath<typeof Deployment>, ObjectPath<typeof Greeting>, KeyPath<typeof Greeting>] = ['spec.replicas', 'spec.ports[0]', 'spec.words']
}

// @wrong: a path of the kind as a value, or of a field that its objects do not have
// @expect: Type '"plural"' is not assignable to type '"metadata" | "spec" | "spec.mood" | "spec.ports" | "spec.words" | "status" | "status.conditions" | "status.said" | `metadata.${string}` | `spec.ports[${number}]` | `spec.ports[${number}].name` | `spec.ports[${number}].port` | `status.conditions[${number}]` | `status.conditions[${number}].lastTransitionTime` | ... 4 ...'.
const ofTheKind: FieldPath<typeof Greeting> = 'plural'
// @expect: Type '"spec.word"' is not assignable to type '"metadata" | "spec" | "spec.mood" | "spec.ports" | "spec.words" | "status" | "status.conditions" | "status.said" | `metadata.${string}` | `spec.ports[${number}]` | `spec.ports[${number}].name` | `spec.ports[${number}].port` | `status.conditions[${number}]` | `status.conditions[${number}].lastTransitionTime` | ... 4 ...'. Did you mean '"spec.words"'?
const misspeltPath: FieldPath<typeof Greeting> = 'spec.word'

// @right: deep paths of native kinds
admission(Deployment).validates({
  create: () => [invalid('spec.template.spec.containers[0].image', 'must have a tag')],
})

// @right: several kinds, subresources, and subresources with objects of another kind
admission(Deployment, StatefulSet)
  .options({ name: 'small.example.com', failurePolicy: 'Ignore' })
  .validates({ create: ({ kind, spec }) => (kind === 'Deployment' && spec.replicas === 0 ? [] : undefined) })
admission(Greeting).subresource('status').validates({ update: ({ status }) => (status?.said === '' ? [] : undefined) })
admission(Pod).subresource('binding', Binding).validates({ create: ({ target }) => (target.name === '' ? [] : undefined) })

// @right: defaults and validation in either order, once each
admission(Greeting).defaults(() => undefined).validates({ create: () => [] })
admission(Greeting).validates({ create: () => [] }).defaults(() => undefined)

// @right: a policy over all kinds
rawAdmission('owned.example.com', everything).mutates(({ object }) =>
  object?.metadata.labels?.['owner'] ? allowed() : patched({ ...object, metadata: { labels: { owner: 'ops' } } }),
)

// @right: mounting webhooks and writing their configurations
{
  const webhooks = [admission(Greeting).defaults(() => undefined)]
  webhookHandler(webhooks)
  webhookConfigurations(webhooks, { name: 'greetings', clientConfig: { url: 'https://127.0.0.1:9443' } })
}

// @right: versions with both directions, fields that are kept, and the definition of the kind
{
  const greetings = conversion(GreetingV2).version(Greeting).converts({
    toStored: ({ spec, status }) => ({ spec: { text: spec.words, loud: spec.mood === 'Happy' }, status: { said: status?.said } }),
    fromStored: ({ spec, metadata: { labels } }) => ({
      spec: { words: spec.text, mood: spec.loud ? 'Happy' : 'Sad' },
      metadata: { labels },
    }),
    keeps: { stored: ['spec.tone'], version: ['spec.ports', 'status.conditions'] },
  })
  webhookHandler([greetings])
  expectRoundTrip(greetings, { runs: 50, values: { 'spec.words': ['hello'] } })
  customResourceDefinition(greetings.kinds, { stored: greetings.stored.version, conversion: { url: 'https://127.0.0.1/convert' } })
}

// @right: converters of several shapes, with parts of the given object, and in functions of their own
conversion(GreetingV2).version(Greeting).converts({
  toStored: ({ spec: { words, ...others } }) => {
    if (others.mood === 'Sad') return { spec: { text: words, tone: { warm: false } } }
    return { spec: { text: words, loud: true }, metadata: { annotations: { mood: others.mood } } }
  },
  fromStored: ({ spec, metadata }) => (spec.loud ? { spec: { words: spec.text, mood: 'Happy' as const, ports: [] } } : { spec: { words: spec.text, mood: 'Sad' }, metadata: { labels: metadata.labels } }),
})
conversion(Deployment).version(Deployment).converts({ toStored: ({ spec, status }) => ({ spec, status }), fromStored: ({ spec, status }) => ({ spec, status }) })
{
  const toStored = ({ spec }: ObjectOf<typeof Greeting>): ConvertedOf<typeof GreetingV2> => ({ spec: { text: spec.words } })
  const converter: Converter<typeof Greeting, typeof GreetingV2> = { toStored, fromStored: ({ spec }) => ({ spec: { words: spec.text, mood: 'Sad' } }) }
  conversion(GreetingV2).version(Greeting).converts(converter)
  conversion(GreetingV2).version(Greeting).converts({ ...converter, toStored })
  const ofAny = (stored: AnyKind, version: AnyKind) => conversion(stored).version(version).converts({ toStored: () => ({ spec: { a: 1 } }), fromStored: () => ({ spec: {} }) })
  const ofUnknown = (stored: Kind, version: Kind) => conversion(stored).version(version).converts({ toStored: () => ({ spec: { a: 1 } }), fromStored: () => ({ spec: {} }) })
}

// @right: a webhook that authenticates tokens
authentication(async ({ token, audiences }, { log }) => {
  log.info('asked')
  return token === '' ? unauthenticated('no token') : authenticated({ username: 'ada', groups: ['people'] }, audiences)
})

// @wrong: a default for a field that the kind does not have
// @expect: Object literal may only specify known properties, but 'mod' does not exist in type 'MergePatchFields<{ words: string; mood?: "Happy" | "Sad" | undefined; ports?: { name: string; port?: number | undefined; }[] | undefined; }>'. Did you mean to write 'mood'?
admission(Greeting).defaults(() => ({ spec: { mod: 'Happy' } }))

// @wrong: a misspelt default beside others
// @expect: Type 'number' is not assignable to type '"there is no field succesfulJobsHistoryLimit"'.
admission(CronJob).defaults(({ spec }) => ({ spec: { suspend: spec.suspend ?? false, succesfulJobsHistoryLimit: 3 } }))
// @expect: Type 'number' is not assignable to type '"there is no field prot"'.
admission(Greeting).defaults(({ spec }) => ({ spec: { mood: spec.mood, ports: [{ name: 'a', prot: 80 }] } }))
// @expect: Type 'Readonly<Record<string, string>> | undefined' is not assignable to type '"there is no field anotations"'.
//   Type 'undefined' is not assignable to type '"there is no field anotations"'.
admission(Greeting).defaults(({ metadata }) => ({ metadata: { labels: {}, anotations: metadata.annotations } }))
// @expect: Type 'Promise<{ spec: { mood: "Happy" | "Sad"; word: string; }; }>' is not assignable to type 'Promise<{ spec: { mood: "Happy" | "Sad"; word: "there is no field word"; }; }>'.
//   Type '{ spec: { mood: "Happy" | "Sad"; word: string; }; }' is not assignable to type '{ spec: { mood: "Happy" | "Sad"; word: "there is no field word"; }; }'.
//   The types of 'spec.word' are incompatible between these types.
//   Type 'string' is not assignable to type '"there is no field word"'.
admission(Greeting).defaults(async ({ spec }) => ({ spec: { mood: spec.mood, word: 'a' } }))
// @expect: Argument of type '({ spec }: Omit<CronJob, "metadata"> & { readonly metadata: ReadonlyFields<ObjectMetaInput>; }) => { spec: { suspend: boolean | undefined; timezone: string; }; }' is not assignable to parameter of type 'CheckedDefaults<Kind<CronJobTypes>, { spec: { suspend: boolean | undefined; timezone: string; }; }>'.
//   Type '{ spec: { suspend: boolean | undefined; timezone: string; }; }' is not assignable to type '{ spec: { suspend: boolean | undefined; timezone: "there is no field timezone"; }; }'.
//   The types of 'spec.timezone' are incompatible between these types.
//   Type 'string' is not assignable to type '"there is no field timezone"'.
admission(CronJob).defaults(({ spec }) => {
  return { spec: { suspend: spec.suspend, timezone: 'UTC' } }
})

// @wrong: a default of another type
// @expect: Type '"Angry"' is not assignable to type '"Happy" | "Sad" | null | undefined'.
admission(Greeting).defaults(() => ({ spec: { mood: 'Angry' } }))

// @wrong: an object that is changed in place
admission(Greeting).defaults((greeting) => {
  // @expect: Cannot assign to 'mood' because it is a read-only property.
  greeting.spec.mood = 'Sad'
})

// @wrong: a path that the kind does not have
// @expect: Type '() => FieldError<"spec.word">[]' is not assignable to type '(object: Omit<ReadonlyFields<{ apiVersion: string; kind: "Greeting"; metadata: ObjectMeta & { namespace: string; }; } & { spec: { words: string; mood: "Happy" | "Sad"; ports?: { name: string; port: number; }[] | undefined; }; } & { ...; }>, "metadata"> & { ...; }, context: AdmissionContext<...>) => Awaitable<...>'.
//   Type 'FieldError<"spec.word">[]' is not assignable to type 'Awaitable<ValidationResult<Kind<Defined<ObjectSchema<{ readonly words: StringSchema<string>; readonly mood: StringSchema<"Happy" | "Sad"> & Defaulted; readonly ports: ListSchema<ObjectSchema<{ readonly name: StringSchema<string>; readonly port: NumberSchema<...> & Defaulted; }, unknown>> & Optional; }, unknown>, ......'.
//   Type 'FieldError<"spec.word">[]' is not assignable to type 'readonly FieldError<"metadata" | "spec" | "spec.mood" | "spec.ports" | "spec.words" | "status" | "status.conditions" | "status.said" | `metadata.${string}` | `spec.ports[${number}]` | `spec.ports[${number}].name` | `spec.ports[${number}].port` | `status.conditions[${number}]` | `status.conditions[${number}].lastTran...'.
//   Type 'FieldError<"spec.word">' is not assignable to type 'FieldError<"metadata" | "spec" | "spec.mood" | "spec.ports" | "spec.words" | "status" | "status.conditions" | "status.said" | `metadata.${string}` | `spec.ports[${number}]` | `spec.ports[${number}].name` | `spec.ports[${number}].port` | `status.conditions[${number}]` | `status.conditions[${number}].lastTransitionTim...'.
//   Type '"spec.word"' is not assignable to type '"metadata" | "spec" | "spec.mood" | "spec.ports" | "spec.words" | "status" | "status.conditions" | "status.said" | `metadata.${string}` | `spec.ports[${number}]` | `spec.ports[${number}].name` | `spec.ports[${number}].port` | `status.conditions[${number}]` | `status.conditions[${number}].lastTransitionTime` | ... 4 ...'. Did you mean '"spec.words"'?
admission(Greeting).validates({ create: () => [invalid('spec.word', 'is missing')] })

// @wrong: a path that does not begin at the object
// @expect: Type '() => FieldError<"words">[]' is not assignable to type '(object: Omit<ReadonlyFields<{ apiVersion: string; kind: "Greeting"; metadata: ObjectMeta & { namespace: string; }; } & { spec: { words: string; mood: "Happy" | "Sad"; ports?: { name: string; port: number; }[] | undefined; }; } & { ...; }>, "metadata"> & { ...; }, context: AdmissionContext<...>) => Awaitable<...>'.
//   Type 'FieldError<"words">[]' is not assignable to type 'Awaitable<ValidationResult<Kind<Defined<ObjectSchema<{ readonly words: StringSchema<string>; readonly mood: StringSchema<"Happy" | "Sad"> & Defaulted; readonly ports: ListSchema<ObjectSchema<{ readonly name: StringSchema<string>; readonly port: NumberSchema<...> & Defaulted; }, unknown>> & Optional; }, unknown>, ......'.
//   Type 'FieldError<"words">[]' is not assignable to type 'readonly FieldError<"metadata" | "spec" | "spec.mood" | "spec.ports" | "spec.words" | "status" | "status.conditions" | "status.said" | `metadata.${string}` | `spec.ports[${number}]` | `spec.ports[${number}].name` | `spec.ports[${number}].port` | `status.conditions[${number}]` | `status.conditions[${number}].lastTran...'.
//   Type 'FieldError<"words">' is not assignable to type 'FieldError<"metadata" | "spec" | "spec.mood" | "spec.ports" | "spec.words" | "status" | "status.conditions" | "status.said" | `metadata.${string}` | `spec.ports[${number}]` | `spec.ports[${number}].name` | `spec.ports[${number}].port` | `status.conditions[${number}]` | `status.conditions[${number}].lastTransitionTim...'.
//   Type '"words"' is not assignable to type '"metadata" | "spec" | "spec.mood" | "spec.ports" | "spec.words" | "status" | "status.conditions" | "status.said" | `metadata.${string}` | `spec.ports[${number}]` | `spec.ports[${number}].name` | `spec.ports[${number}].port` | `status.conditions[${number}]` | `status.conditions[${number}].lastTransitionTime` | ... 4 ...'.
admission(Greeting).validates({ create: () => [required('words')] })

// @wrong: the uid of an object that is only about to be created
// @expect: 'metadata.uid' is possibly 'undefined'.
admission(Greeting).validates({ create: ({ metadata }) => void metadata.uid.length })

// @wrong: defaults that are given twice
// @expect: Property 'defaults' does not exist on type 'AdmissionWithDefaults<Kind<Defined<ObjectSchema<{ readonly words: StringSchema<string>; readonly mood: StringSchema<"Happy" | "Sad"> & Defaulted; readonly ports: ListSchema<ObjectSchema<{ readonly name: StringSchema<string>; readonly port: NumberSchema<...> & Defaulted; }, unknown>> & Optional; }, unknown>, ... 4 mo...'.
admission(Greeting).defaults(() => undefined).defaults(() => undefined)

// @wrong: an option with a value that Kubernetes does not know
// @expect: Type '"Retry"' is not assignable to type '"Fail" | "Ignore" | undefined'.
admission(Greeting).options({ failurePolicy: 'Retry' })

// @wrong: a policy that validates and patches
// @expect: Type 'Patched' is not assignable to type 'Allowed | Denied | Promise<Allowed | Denied>'.
//   Type 'Patched' is not assignable to type 'Allowed'.
//   Types of property 'type' are incompatible.
//   Type '"patched"' is not assignable to type '"allowed"'.
rawAdmission('owned.example.com', everything).validates(() => patched([]))

// @wrong: a client configuration with both a Service and an address
// @expect: Type '{ url: string; service: { name: string; namespace: string; }; }' is not assignable to type 'WebhookClientConfig'.
//   Types of property 'service' are incompatible.
//   Type '{ name: string; namespace: string; }' is not assignable to type 'undefined'.
webhookConfigurations([], { name: 'a', clientConfig: { url: 'https://127.0.0.1', service: { name: 'a', namespace: 'b' } } })

// @wrong: a version without a converter
// @expect: Property 'endpoints' is missing in type 'VersionWithoutConverter<Kind<Defined<ObjectSchema<{ readonly words: StringSchema<string>; readonly mood: StringSchema<"Happy" | "Sad"> & Defaulted; readonly ports: ListSchema<ObjectSchema<{ readonly name: StringSchema<string>; readonly port: NumberSchema<...> & Defaulted; }, unknown>> & Optional; }, unknown>, ... 4 ...' but required in type 'Webhook'.
webhookHandler([conversion(GreetingV2).version(Greeting)])
// @expect: Property 'version' does not exist on type 'VersionWithoutConverter<Kind<Defined<ObjectSchema<{ readonly words: StringSchema<string>; readonly mood: StringSchema<"Happy" | "Sad"> & Defaulted; readonly ports: ListSchema<ObjectSchema<{ readonly name: StringSchema<string>; readonly port: NumberSchema<...> & Defaulted; }, unknown>> & Optional; }, unknown>, ... 4 ...'.
conversion(GreetingV2).version(Greeting).version(GreetingV2)

// @wrong: a version that is converted in one direction only
// @expect: Property 'fromStored' is missing in type '{ toStored: ({ spec }: Deployment) => { spec: ReadonlyFields<DeploymentSpec>; status: {}; }; }' but required in type 'CheckedConverter<Kind<DeploymentTypes>, Kind<DeploymentTypes>, ConvertedOf<Kind<DeploymentTypes>>, ConvertedOf<...>>'.
conversion(Deployment).version(Deployment).converts({ toStored: ({ spec }) => ({ spec, status: {} }) })

// @wrong: a misspelt field of a conversion beside others
conversion(GreetingV2).version(Greeting).converts({
  // @expect: Type 'true' is not assignable to type '"there is no field lout"'.
  toStored: ({ spec }) => ({ spec: { text: spec.words, lout: true } }),
  fromStored: ({ spec, status }) => ({
    spec: {
      words: spec.text,
      mood: 'Happy',
      // @expect: Object literal may only specify known properties, and 'prot' does not exist in type 'InputFields<{ name: string; port: number; }>'.
      ports: [{ name: 'a', prot: 80 }],
    },
    status: {
      // @expect: Object literal may only specify known properties, and 'side' does not exist in type 'InputFields<{ said?: string | undefined; conditions?: Condition[] | undefined; }>'.
      side: status?.said,
    },
  }),
})
conversion(GreetingV2).version(Greeting).converts({
  toStored: ({ spec, metadata }) => ({
    spec: { text: spec.words },
    metadata: {
      labels: metadata.labels,
      // @expect: Type 'never[]' is not assignable to type '"there is no field finalizers"'.
      finalizers: [],
    },
  }),
  fromStored: ({ spec }) => ({ spec: { words: spec.text, mood: 'Sad' } }),
})
conversion(StatefulSet).version(Deployment).converts({
  // @expect: Type '({ spec }: Deployment) => { spec: { selector: ReadonlyFields<LabelSelector>; template: ReadonlyFields<PodTemplateSpec>; replicsa: number | undefined; }; status: { ...; }; }' is not assignable to type '(object: Deployment) => { spec: { selector: ReadonlyFields<LabelSelector>; template: ReadonlyFields<PodTemplateSpec>; replicsa: "there is no field replicsa"; }; status: { ...; }; }'.
  //   Type '{ spec: { selector: ReadonlyFields<LabelSelector>; template: ReadonlyFields<PodTemplateSpec>; replicsa: number | undefined; }; status: { replicas: number; }; }' is not assignable to type '{ spec: { selector: ReadonlyFields<LabelSelector>; template: ReadonlyFields<PodTemplateSpec>; replicsa: "there is no field replicsa"; }; status: { ...; }; }'.
  //   The types of 'spec.replicsa' are incompatible between these types.
  //   Type 'number | undefined' is not assignable to type '"there is no field replicsa"'.
  //   Type 'undefined' is not assignable to type '"there is no field replicsa"'.
  toStored: ({ spec }) => {
    const { replicas, selector, template } = spec
    return { spec: { selector, template, replicsa: replicas }, status: { replicas: 1 } }
  },
  fromStored: ({ spec: { selector, template } }) => ({ spec: { selector, template }, status: {} }),
})

// @wrong: a conversion that returns fields of the other version
conversion(GreetingV2).version(Greeting).converts({
  toStored: ({ spec }) => ({
    // @expect: Type '{ words: string; mood: "Happy" | "Sad"; ports?: readonly ReadonlyFields<{ name: string; port: number; }>[] | undefined; text: string; }' is not assignable to type '{ words: "there is no field words"; mood: "there is no field mood"; ports?: "there is no field ports" | undefined; text: string; }'.
    //   Types of property 'words' are incompatible.
    //   Type 'string' is not assignable to type '"there is no field words"'.
    spec: { ...spec, text: spec.words },
  }),
  fromStored: ({ spec: { text, ...others } }) => ({
    // @expect: Type '{ loud?: boolean | undefined; tone?: ReadonlyFields<{ warm: boolean; }> | undefined; words: string; mood: "Happy"; }' is not assignable to type '{ loud?: "there is no field loud" | undefined; tone?: "there is no field tone" | undefined; words: string; mood: "Happy"; }'.
    //   Types of property 'loud' are incompatible.
    //   Type 'boolean | undefined' is not assignable to type '"there is no field loud" | undefined'.
    //   Type 'false' is not assignable to type '"there is no field loud"'.
    spec: { ...others, words: text, mood: 'Happy' },
  }),
})

// @wrong: a conversion that forgets a required field
conversion(GreetingV2).version(Greeting).converts({
  // @expect: Property 'text' is missing in type '{ loud: true; }' but required in type 'InputFields<{ text: string; loud?: boolean | undefined; tone?: { warm: boolean; } | undefined; }>'.
  toStored: () => ({ spec: { loud: true } }),
  fromStored: ({ spec }) => ({ spec: { words: spec.text, mood: 'Happy' } }),
})

// @wrong: a conversion that reads a field of the other version
conversion(GreetingV2).version(Greeting).converts({
  // @expect: Property 'text' does not exist on type 'ReadonlyFields<{ words: string; mood: "Happy" | "Sad"; ports?: { name: string; port: number; }[] | undefined; }>'.
  toStored: ({ spec }) => ({ spec: { text: spec.text } }),
  fromStored: ({ spec }) => ({ spec: { words: spec.text, mood: 'Happy' } }),
})

// @wrong: a conversion that renames the object
conversion(GreetingV2).version(Greeting).converts({
  // @expect: Object literal may only specify known properties, and 'name' does not exist in type 'ConvertedMetadata'.
  toStored: ({ spec }) => ({ spec: { text: spec.words }, metadata: { name: 'other' } }),
  fromStored: ({ spec }) => ({ spec: { words: spec.text, mood: 'Happy' } }),
})

// @wrong: a kept field that the version does not have
conversion(GreetingV2).version(Greeting).converts({
  toStored: ({ spec }) => ({ spec: { text: spec.words } }),
  fromStored: ({ spec }) => ({ spec: { words: spec.text, mood: 'Happy' } }),
  // @expect: Type '"spec.tones"' is not assignable to type '"spec" | "spec.loud" | "spec.text" | "spec.tone" | "spec.tone.warm" | "status" | "status.said"'. Did you mean '"spec.tone"'?
  keeps: { stored: ['spec.tones'] },
})

// @wrong: an authentication that gives the user alone
// @expect: Type '{ username: string; }' is not assignable to type 'Authenticated | Promise<Authenticated | Unauthenticated> | Unauthenticated'.
authentication(() => ({ username: 'ada' }))
