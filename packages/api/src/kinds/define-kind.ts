import { checkOptionNames, HomeostatError, optionNames } from '../errors/index.ts'
import {
  type AnySchema,
  type ReadOf,
  type ReadShape,
  requiredKeys,
  ruleProblems,
  type Schema,
  schemaProblems,
  type Shape,
  type StructuralSchema,
  type ValidationRule,
  type WriteOf,
  type WriteShape,
} from '../schema/index.ts'
import { kindProblems } from './kind-problems.ts'
import type {
  ApplyMeta,
  CreateMeta,
  Kind,
  KindTypes,
  NoStatus,
  PatchMeta,
  PrinterColumn,
  ReadMeta,
  ScaleSubresource,
  Scope,
} from './kind.ts'
import { pluralOf } from './plural.ts'
import type {
  DeepInput,
  DeepMergePatch,
  DeepPartial,
  DeepReadonly,
  MergePatchFields,
  PartialFields,
} from './shapes.ts'

/** The keys that an object has besides its type, its metadata and the status that is a subresource. */
type Body<Spec extends AnySchema, Fields extends Shape> = [Spec] extends [never]
  ? Fields
  : [Fields] extends [never]
    ? { spec: Spec }
    : { spec: Spec } & Fields

/** The types of a custom kind, from the schemas of its spec, its status and its further fields. */
export interface Defined<
  Spec extends AnySchema,
  Status extends AnySchema,
  S extends Scope,
  Name extends string = string,
  Path extends string = never,
  Fields extends Shape = never,
> extends KindTypes {
  read: { apiVersion: string; kind: Name; metadata: ReadMeta<S> } & ReadShape<Body<Spec, Fields>> &
    ([Status] extends [never] ? unknown : { status?: ReadOf<Status> | undefined })
  object: DeepReadonly<this['read']>
  create: {
    apiVersion?: string | undefined
    kind?: string | undefined
    metadata: CreateMeta<S>
  } & DeepInput<WriteShape<Body<Spec, Fields>>>
  apply: {
    apiVersion?: string | undefined
    kind?: string | undefined
    metadata: ApplyMeta<S>
  } & PartialFields<WriteShape<Body<Spec, Fields>>>
  status: [Status] extends [never] ? NoStatus : DeepPartial<WriteOf<Status>> & object
  mergePatch: {
    metadata?: PatchMeta | undefined
  } & MergePatchFields<WriteShape<Body<Spec, Fields>>> &
    ([Status] extends [never] ? unknown : { status?: DeepMergePatch<WriteOf<Status>> | null | undefined })
  strategicPatch: 'A server accepts no strategic merge patch for a custom kind: use merge, json or apply'
  fields: FieldOf<Path>
  scope: S
}

/** A selectable path as field selectors write it. */
type FieldOf<Path extends string> = Path extends `.${infer Field}` ? Field : never

/** The options of {@link defineKind}. */
export interface KindDefinition<
  Spec extends Schema<object>,
  Status extends Schema<object>,
  S extends Scope,
  Name extends string = string,
  Path extends string = string,
  Fields extends Shape = Shape,
> {
  /** A domain that you own, with at least one dot. */
  readonly group: string
  /** `v1`, `v1alpha1`, `v2beta3` … */
  readonly version: string
  /** The name of the kind: in CamelCase, singular. */
  readonly kind: Name
  /** The schema of the spec. Only a kind that lists its keys in `fields` may leave it out. */
  readonly spec?: Spec | undefined
  /** The schema of the status. If given, the kind has a status subresource, which is written separately. */
  readonly status?: Status | undefined
  /**
   * The schemas of further keys of the whole object, beside `spec` and `status` or instead of them, such as the `data` of
   * a ConfigMap. A `status` here is a field like any other: it is written with the object, not as a subresource.
   */
  readonly fields?: Fields | undefined
  /** Default: `'Namespaced'`. */
  readonly scope?: S | undefined
  /** Default: the kind in lower case, with a regular English plural. */
  readonly plural?: string | undefined
  /** Default: the kind in lower case. */
  readonly singular?: string | undefined
  /** Default: the kind with `List` after it. */
  readonly listKind?: string | undefined
  readonly shortNames?: readonly string[] | undefined
  /** Groups that `kubectl get` knows, such as `all`. */
  readonly categories?: readonly string[] | undefined
  /** The columns that `kubectl get` shows after the name. Default: the age. */
  readonly columns?: readonly PrinterColumn[] | undefined
  readonly scale?: ScaleSubresource | undefined
  /** CEL rules over the whole object. From its metadata, they can only use `name` and `generateName`. */
  readonly rules?: readonly ValidationRule[] | undefined
  /** Up to eight paths, such as `.spec.color`, that field selectors may name. Default: none. */
  readonly selectableFields?: readonly Path[] | undefined
  /** True, or the warning for clients that still use this version. Default: false. */
  readonly deprecated?: boolean | string | undefined
  /** Whether the server serves this version at all. Default: true. */
  readonly served?: boolean | undefined
  /** The description of the kind, for `kubectl explain`. */
  readonly description?: string | undefined
}

type AnyDefinition = KindDefinition<AnySchema, AnySchema, Scope>

/** A kind without `fields` has a spec. */
type SpecOrFields<Fields extends Shape> = [Fields] extends [never]
  ? { readonly spec: Schema<object> }
  : unknown

const DEFINITION = optionNames<AnyDefinition>('defineKind', {
  group: true,
  version: true,
  kind: true,
  spec: true,
  status: true,
  fields: true,
  scope: true,
  plural: true,
  singular: true,
  listKind: true,
  shortNames: true,
  categories: true,
  columns: true,
  scale: true,
  rules: true,
  selectableFields: true,
  deprecated: true,
  served: true,
  description: true,
})

/**
 * Defines a custom kind by the schemas of its spec, its status and its further fields. The result carries the
 * TypeScript types, the client's route and the content of its CustomResourceDefinition. Throws a `HomeostatError` with
 * code `KIND_INVALID` that lists everything a server would refuse.
 */
export function defineKind<
  Spec extends Schema<object> = never,
  Status extends Schema<object> = never,
  const S extends Scope = 'Namespaced',
  const Name extends string = string,
  const Path extends string = never,
  const Fields extends Shape = never,
>(
  definition: KindDefinition<Spec, Status, S, Name, Path, Fields> & SpecOrFields<Fields>,
): Kind<Defined<Spec, Status, S, Name, Path, Fields>> {
  checkOptionNames(definition, DEFINITION)
  const { group, version, kind } = definition
  const defined: Kind<Defined<Spec, Status, S, Name, Path, Fields>> = {
    group,
    version,
    kind,
    plural: definition.plural ?? pluralOf(kind),
    singular: definition.singular ?? kind.toLowerCase(),
    listKind: definition.listKind ?? `${kind}List`,
    scope: definition.scope ?? ('Namespaced' as S),
    shortNames: definition.shortNames ?? [],
    categories: definition.categories ?? [],
    columns: definition.columns ?? [],
    subresources: { status: definition.status !== undefined, scale: definition.scale },
    selectableFields: definition.selectableFields,
    deprecated: definition.deprecated,
    served: definition.served,
    schema: rootSchema(definition),
  }
  const problems = [
    ...kindProblems(defined),
    ...fieldProblems(definition),
    ...Object.entries(partsOf(definition)).flatMap(([name, part]) => schemaProblems(part.structural, name)),
    ...ruleProblems(defined.schema ?? {}, 'the object'),
  ]
  if (problems.length > 0) {
    throw new HomeostatError(
      'KIND_INVALID',
      `the kind ${kind} (${group}/${version}) cannot be defined:\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
    )
  }
  return defined
}

/** The keys that the definition gives schemas to. */
function partsOf({ spec, status, fields }: AnyDefinition): Shape {
  return { ...(spec ? { spec } : {}), ...fields, ...(status ? { status } : {}) }
}

/** The keys that every object has. */
const COMMON_KEYS = ['apiVersion', 'kind', 'metadata']

function fieldProblems({ spec, status, fields }: AnyDefinition): string[] {
  if (!fields) return spec ? [] : ["it has no spec: give its schema, or those of the object's keys in fields"]
  return Object.keys(fields).flatMap((name) => {
    if (COMMON_KEYS.includes(name)) return [`fields.${name}: every object has this key: remove it`]
    if ((name === 'spec' && spec) || (name === 'status' && status))
      return [`fields.${name}: the definition also has ${name}: remove one of the two`]
    return []
  })
}

function rootSchema(definition: AnyDefinition): StructuralSchema {
  const { description, rules, status } = definition
  const parts = partsOf(definition)
  const required = requiredKeys(parts).filter((name) => parts[name] !== status)
  return {
    ...(description === undefined ? {} : { description }),
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      ...Object.fromEntries(Object.entries(parts).map(([name, { structural }]) => [name, structural])),
    },
    ...(rules && rules.length > 0 ? { 'x-kubernetes-validations': rules } : {}),
  }
}
