import { HomeostatError, parseApiVersion, type AnyKind } from '@homeostat/api'
import { resolveOperator, type Controller, type Operator, type OperatorSource } from 'homeostat'
import type { ExternalSystem, Invariant } from './declared-parts.ts'
import { NATIVE_KINDS } from './native-kinds.ts'
import { nameOf, type PlainObject } from '../stories/index.ts'

/** An operator, and the facts about it that are known before it runs. */
export interface CheckedOperator {
  readonly source: OperatorSource
  /** One value of the operator. Each process gets another one from `source`, with the same parts. */
  readonly operator: Operator
  /** The kinds of its samples: its own, or kinds of Kubernetes that its controllers are for. */
  readonly own: readonly AnyKind[]
  /** The kinds that it has to do with: its own, and what its controllers watch, read and write. */
  readonly kinds: readonly AnyKind[]
  /** Objects of its own kinds. */
  readonly samples: readonly PlainObject[]
  /** Samples of other kinds, such as a Secret that a spec names: they are created before. */
  readonly needs: readonly PlainObject[]
  readonly invariants: Readonly<Record<string, Invariant>>
  readonly external: readonly ExternalSystem[]
}

/** The author's declarations besides the operator. */
export type DeclaredParts = Partial<Pick<CheckedOperator, 'invariants' | 'external'>>

export async function checkedOperator(
  source: OperatorSource,
  { invariants = {}, external = [] }: DeclaredParts = {},
): Promise<CheckedOperator> {
  const operator = await resolveOperator(source)
  const own = ownKinds(operator)
  const all = operator.samples.map((sample) => {
    if (sample.metadata.name !== undefined)
      return namespaced(sample as PlainObject, [...own, ...NATIVE_KINDS])
    throw new HomeostatError(
      'CHECK_SAMPLE_INVALID',
      `a sample of ${sample.kind} has no metadata.name: give it one`,
    )
  })
  const isOwn = (sample: PlainObject): boolean => own.some((kind) => isOf(kind, sample))
  const samples = all.filter(isOwn)
  if (samples.length === 0) {
    const kinds = own.map(({ kind }) => kind).join(', ') || 'a kind that it watches'
    throw new HomeostatError(
      'CHECK_NO_SAMPLES',
      `the operator ${operator.name} has no sample of ${kinds}: give operator() at least one, as samples: [sample(Kind, object)]`,
    )
  }
  return {
    source,
    operator,
    own,
    kinds: kindsOf(own, operator.controllers),
    samples: distinct(samples),
    needs: all.filter((sample) => !isOwn(sample)),
    invariants,
    external,
  }
}

/**
 * Kinds of Kubernetes count only where no sample is of a kind that the operator defines: a Secret may be what a sample needs.
 * Where no controller is for a kind, all kinds that they watch count.
 */
function ownKinds({ kinds, controllers, samples }: Operator): readonly AnyKind[] {
  if (kinds.some((kind) => samples.some((sample) => isOf(kind, sample)))) return kinds
  const own = distinctKinds([...kinds, ...controllers.flatMap(({ kind }) => kind ?? [])])
  return own.length > 0 ? own : watchedKinds(controllers)
}

function isOf(one: AnyKind, { apiVersion, kind }: Pick<PlainObject, 'apiVersion' | 'kind'>): boolean {
  return one.kind === kind && one.group === parseApiVersion(apiVersion).group
}

/** The sample in a namespace, where its kind has one. */
function namespaced(sample: PlainObject, kinds: readonly AnyKind[]): PlainObject {
  const isClusterScoped = kinds.some((kind) => kind.scope === 'Cluster' && isOf(kind, sample))
  if (isClusterScoped || sample.metadata.namespace !== undefined) return sample
  return { ...sample, metadata: { ...sample.metadata, namespace: 'default' } }
}

function distinct(samples: readonly PlainObject[]): PlainObject[] {
  return [...new Map(samples.map((sample) => [nameOf(sample), sample])).values()]
}

/** The kinds that controllers watch. */
export function watchedKinds(controllers: readonly Controller[]): AnyKind[] {
  const kinds = controllers.flatMap(({ watches }) =>
    watches.flatMap((watch) => ('kind' in watch ? [watch.kind] : [])),
  )
  return distinctKinds(kinds)
}

function kindsOf(own: readonly AnyKind[], controllers: readonly Controller[]): AnyKind[] {
  const accessed = controllers.flatMap(({ access }) => access.map(({ kind }) => kind))
  return distinctKinds([...own, ...watchedKinds(controllers), ...accessed])
}

function distinctKinds(kinds: readonly AnyKind[]): AnyKind[] {
  return [...new Map(kinds.map((kind) => [`${kind.group}/${kind.plural}`, kind])).values()]
}
