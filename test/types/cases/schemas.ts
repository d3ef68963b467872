/** Custom kinds. */
import { defineKind, schema as s, type CreateOf, type ObjectOf } from 'homeostat'
import { Pod } from 'homeostat/kinds'
import { JobTemplateSpec, PodTemplateSpec, ResourceRequirements } from 'homeostat/schemas'

const base = { group: 'demo.example.com', version: 'v1', kind: 'Thing' } as const

// @right: the types that a schema gives
{
  const Thing = defineKind({
    ...base,
    spec: s.object({ size: s.integer().default(1), mode: s.enum('A', 'B').optional(), tags: s.map(s.string()) }),
  })
  const read = (thing: ObjectOf<typeof Thing>): number => thing.spec.size
  const made: CreateOf<typeof Thing> = { metadata: { namespace: 'a', name: 'b' }, spec: { tags: {} } }
}

// @right: a list that is merged by the keys of its items
s.list(s.object({ name: s.string(), port: s.integer() })).mapBy('name', 'port')

// @right: a cluster-scoped kind
{
  const Thing = defineKind({ ...base, scope: 'Cluster', spec: s.object({}) })
  const made: CreateOf<typeof Thing> = { metadata: { name: 'b' }, spec: {} }
}

// @right: a type of Kubernetes inside a kind
{
  const Thing = defineKind({ ...base, spec: s.object({ template: s.native(PodTemplateSpec) }) })
  const made: CreateOf<typeof Thing> = {
    metadata: { namespace: 'a', name: 'b' },
    spec: { template: { spec: { containers: [{ name: 'c', resources: { limits: { cpu: '1' } } }] } } },
  }
  const image = (thing: ObjectOf<typeof Thing>): string | undefined => thing.spec.template.spec?.containers[0]?.image
}

// @right: a type of Kubernetes one of whose fields the kind requires
{
  const Thing = defineKind({ ...base, spec: s.object({ job: s.native(JobTemplateSpec, { required: ['spec'] }) }) })
  const parallelism = (thing: ObjectOf<typeof Thing>): number | undefined => thing.spec.job.spec.parallelism
}

// @right: a type of Kubernetes with a default
s.native(ResourceRequirements).default({ limits: { memory: '1Gi' } })

// @wrong: a required field that a type of Kubernetes does not have
// @expect: Type '"sepc"' is not assignable to type '"metadata" | "spec"'.
s.native(JobTemplateSpec, { required: ['sepc'] })

// @wrong: a required field that is left out
{
  const Thing = defineKind({ ...base, spec: s.object({ job: s.native(JobTemplateSpec, { required: ['spec'] }) }) })
  // @expect: Property 'spec' is missing in type '{}' but required in type 'InputFields<WithRequired<JobTemplateSpec, "spec">>'.
  const made: CreateOf<typeof Thing> = { metadata: { namespace: 'a', name: 'b' }, spec: { job: {} } }
}

// @wrong: a misspelt field of a type of Kubernetes
{
  const Thing = defineKind({ ...base, spec: s.object({ template: s.native(PodTemplateSpec) }) })
  const made: CreateOf<typeof Thing> = {
    metadata: { namespace: 'a', name: 'b' },
    // @expect: Object literal may only specify known properties, but 'container' does not exist in type 'InputFields<PodSpec>'. Did you mean to write 'containers'?
    spec: { template: { spec: { container: [] } } },
  }
}

// @wrong: a kind in place of a type
// @expect: Type 'Kind<PodTypes>' is missing the following properties from type 'NativeType<unknown>': structural, isNative
s.native(Pod)

// @wrong: a default of another type
// @expect: Argument of type 'string' is not assignable to parameter of type 'number'.
s.integer().default('1')

// @wrong: a default that the enum does not have
// @expect: Argument of type '"C"' is not assignable to parameter of type '"A" | "B"'.
s.enum('A', 'B').default('C')

// @wrong: a key that items do not have
// @expect: Argument of type '"nmae"' is not assignable to parameter of type '"name"'.
s.list(s.object({ name: s.string() })).mapBy('nmae')

// @wrong: a key of items that may be absent
// @expect: Argument of type '"zone"' is not assignable to parameter of type '"name"'.
s.list(s.object({ name: s.string(), zone: s.string().optional() })).mapBy('zone')

// @wrong: an item that may be absent
// @expect: Argument of type 'StringSchema<string> & Optional' is not assignable to parameter of type '"Only a key of an object can be optional: remove optional()"'.
s.list(s.string().optional())

// @wrong: a spec that is not an object
defineKind({
  ...base,
  // @expect: Type 'StringSchema<string>' is not assignable to type 'Schema<object, object>'.
  //   Types of property 'types' are incompatible.
  //   Type '{ readonly read: string; readonly write: string; } | undefined' is not assignable to type '{ readonly read: object; readonly write: object; } | undefined'.
  //   Type '{ readonly read: string; readonly write: string; }' is not assignable to type '{ readonly read: object; readonly write: object; }'.
  //   Types of property 'read' are incompatible.
  //   Type 'string' is not assignable to type 'object'.
  spec: s.string(),
})

// @wrong: a scope that does not exist
// @expect: Type '"Global"' is not assignable to type 'Scope | undefined'.
defineKind({ ...base, scope: 'Global', spec: s.object({}) })

// @wrong: a column of a type that does not exist
// @expect: Type '"int"' is not assignable to type '"boolean" | "date" | "integer" | "number" | "string"'.
defineKind({ ...base, spec: s.object({}), columns: [{ name: 'Size', type: 'int', path: '.spec.size' }] })

// @wrong: the reason of a rule that does not exist
// @expect: Type '"Required"' is not assignable to type '"FieldValueDuplicate" | "FieldValueForbidden" | "FieldValueInvalid" | "FieldValueRequired" | undefined'.
s.string().rule('self != ""', 'must not be empty', { reason: 'Required' })
