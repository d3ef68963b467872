import { customResourceDefinition, defineKind, schema as s } from './homeostat.ts'

/** `Thing` in `example.com/v1beta1`. */
export const ThingV1Beta1 = defineKind({
  group: 'example.com',
  version: 'v1beta1',
  kind: 'Thing',
  scope: 'Cluster',
  plural: 'stuff',
  shortNames: ['th'],
  categories: ['all'],
  description: 'A thing.',
  columns: [{ name: 'Size', type: 'integer', priority: 1, path: '.spec.size' }],
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
  deprecated: 'use v1',
  spec: s.object({
    size: s.integer(),
  }),
  status: s.object({
    size: s.integer().optional(),
  }),
})

/** `Thing` in `example.com/v1`. */
export const Thing = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  scope: 'Cluster',
  plural: 'stuff',
  shortNames: ['th'],
  categories: ['all'],
  description: 'A thing.',
  columns: [{ name: 'Size', type: 'integer', priority: 1, path: '.spec.size' }],
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
  rules: [{ rule: 'self.metadata.name != \'x\'' }],
  selectableFields: ['.spec.size'],
  spec: s.object({
    name: s.string().pattern('^[a-z]\\d"$').minLength(1).maxLength(9).title('Name'),
    size: s.integer().format('int32').greaterThan(0).default(1),
    ratio: s.number().max(1).multipleOf(0.25).nullable().optional(),
    'dashed-key': s.boolean().rule('self').optional(),
    color: s.enum('red', 'blue').default('red').required(),
    weight: s.integer().enum(1, 2).optional(),
    at: s.timestamp().optional(),
    address: s.string().format('ipv4').optional(),
    share: s.intOrString().pattern('%$').optional(),
    memory: s.quantity().optional(),
    labels: s.map(s.string()).maxProperties(3).optional(),
    tags: s.list(s.string()).set().maxItems(5).optional(),
    ports: s.list(s.object({
      name: s.string(),
      protocol: s.string().default('TCP'),
      port: s.integer().optional(),
    })).mapBy('name', 'protocol').minItems(1),
    template: s.embeddedResource(),
    raw: s.any().optional(),
    open: s.object({
      a: s.string().optional(),
      b: s.string().optional(),
    }).atomic().preserveUnknown().oneOf({ required: ['a'] }, { required: ['b'] }).optional(),
    odd: s.structural<boolean>({ type: 'boolean', enum: [true] }).optional(),
  }).describe('What it\'s for.').immutable().rule('self.size > 0', 'too small', { reason: 'FieldValueInvalid', fieldPath: '.size' }),
  status: s.object({
    size: s.integer().optional(),
  }),
})

/** The definition of `Thing` in all its versions. */
export const thingDefinition = customResourceDefinition([ThingV1Beta1, Thing], {
  conversion: { service: { name: 'convert', namespace: 'things' } },
  labels: { app: 'things' },
  annotations: { 'cert-manager.io/inject-ca-from': 'a/b' },
})
