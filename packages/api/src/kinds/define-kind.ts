import { checkOptionNames, HomeostatError, optionNames } from '../errors/index.ts'
import {
  type AnySchema,
  type ReadOf,
  type ReadShape,
  ruleProblems,
  type Schema,
  schemaProblems,
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
import type { DeepInput, DeepMergePatch, DeepPartial, DeepReadonly } from './shapes.ts'

/** The types of a custom kind, from the schemas of its spec and its status. */
export interface Defined<
  Spec extends AnySchema,
  Status extends AnySchema,
  S extends Scope,
  Name extends string = string,
  Path extends string = never,
> extends KindTypes {
  read: { apiVersion: string; kind: Name; metadata: ReadMeta<S> } & ReadShape<{ spec: Spec }> &
    ([Status] extends [never] ? unknown : { status?: ReadOf<Status> | undefined })
  object: DeepReadonly<this['read']>
  create: {
    apiVersion?: string | undefined
    kind?: string | undefined
    metadata: CreateMeta<S>
  } & DeepInput<WriteShape<{ spec: Spec }>>
  apply: {
    apiVersion?: string | undefined
    kind?: string | undefined
    metadata: ApplyMeta<S>
    spec?: DeepPartial<WriteOf<Spec>> | undefined
  }
  status: [Status] extends [never] ? NoStatus : DeepPartial<WriteOf<Status>> & object
  mergePatch: {
    metadata?: PatchMeta | undefined
    spec?: DeepMergePatch<WriteOf<Spec>> | null | undefined
  } & ([Status] extends [never] ? unknown : { status?: DeepMergePatch<WriteOf<Status>> | null | undefined })
  strategicPatch: 'A server accepts no strategic merge patch for a custom kind: use merge, json or apply'
  fields: FieldOf<Path>
  scope: S
}

/** A selectable path as field selectors write it. */
type FieldOf<Path extends string> = Path extends `.${infer Field}` ? Field : never

/** What {@link defineKind} takes. */
export interface KindDefinition<
  Spec extends Schema<object>,
  Status extends Schema<object>,
  S extends Scope,
  Name extends string = string,
  Path extends string = string,
> {
  /** A domain that you own, with at least one dot. */
  readonly group: string
  /** `v1`, `v1alpha1`, `v2beta3` … */
  readonly version: string
  /** The name of the kind: in CamelCase, singular. */
  readonly kind: Name
  readonly spec: Spec
  /** The schema of the status. If given, the kind has a status subresource, which is written separately. */
  readonly status?: Status | undefined
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
  /** What `kubectl get` shows after the name. Default: the age. */
  readonly columns?: readonly PrinterColumn[] | undefined
  readonly scale?: ScaleSubresource | undefined
  /** CEL rules over the whole object. Of its metadata, they can only use `name` and `generateName`. */
  readonly rules?: readonly ValidationRule[] | undefined
  /** Up to eight paths, such as `.spec.color`, that field selectors may name. Default: none. */
  readonly selectableFields?: readonly Path[] | undefined
  /** True, or the warning for clients that still use this version. Default: false. */
  readonly deprecated?: boolean | string | undefined
  /** Whether the server serves this version at all. Default: true. */
  readonly served?: boolean | undefined
  /** What the kind is, for `kubectl explain`. */
  readonly description?: string | undefined
}

type AnyDefinition = KindDefinition<AnySchema, AnySchema, Scope>

const DEFINITION = optionNames<AnyDefinition>('defineKind', {
  group: true,
  version: true,
  kind: true,
  spec: true,
  status: true,
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
 * Defines a custom kind by the schemas of its spec and its status. The result carries the TypeScript types, the
 * client's route and the content of its CustomResourceDefinition. Throws a `HomeostatError` with code `KIND_INVALID`
 * that lists everything a server would refuse.
 */
export function defineKind<
  Spec extends Schema<object>,
  Status extends Schema<object> = never,
  const S extends Scope = 'Namespaced',
  const Name extends string = string,
  const Path extends string = never,
>(definition: KindDefinition<Spec, Status, S, Name, Path>): Kind<Defined<Spec, Status, S, Name, Path>> {
  checkOptionNames(definition, DEFINITION)
  const { group, version, kind, spec, status } = definition
  const defined: Kind<Defined<Spec, Status, S, Name, Path>> = {
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
    subresources: { status: status !== undefined, scale: definition.scale },
    selectableFields: definition.selectableFields,
    deprecated: definition.deprecated,
    served: definition.served,
    schema: rootSchema(definition),
  }
  const problems = [
    ...kindProblems(defined),
    ...schemaProblems(spec.structural, 'spec'),
    ...(status ? schemaProblems(status.structural, 'status') : []),
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

function rootSchema({ description, spec, status, rules }: AnyDefinition): StructuralSchema {
  return {
    ...(description === undefined ? {} : { description }),
    type: 'object',
    ...(spec.isOptional || spec.hasDefault ? {} : { required: ['spec'] }),
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: spec.structural,
      ...(status ? { status: status.structural } : {}),
    },
    ...(rules && rules.length > 0 ? { 'x-kubernetes-validations': rules } : {}),
  }
}
