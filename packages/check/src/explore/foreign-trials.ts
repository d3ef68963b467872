import { deepEqual } from '@homeostat/api'
import type { Trial } from '../judgements/index.ts'
import { nameOf, referenceTo, type PlainObject, type Step, type Story } from '../stories/index.ts'
import { ownedFields } from './owned-fields.ts'
import { childrenOf, create, REST, sentOf, undisturbed, type Subject } from './trials.ts'

const FOREIGN_FINALIZER = 'example.com/of-another-controller'

/**
 * The operator must not change objects of other controllers: an object with the name of a child and another
 * owner, while the sample is created and deleted, and a finalizer of the sample itself.
 */
export function* foreignTrials(subject: Subject): Generator<Trial> {
  yield* occupiedNameTrials(subject)
  yield* finalizerTrials(subject)
}

function* occupiedNameTrials({ sample, needs, outcome, managers }: Subject): Generator<Trial> {
  const owner: PlainObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'owner-of-another-controller', namespace: sample.metadata.namespace ?? 'default' },
  }
  const remove: Step = { step: 'delete', object: referenceTo(sample) }
  for (const child of childrenOf(outcome, sample)) {
    const object = outcome.objects.find((one) => nameOf(one) === nameOf(child))
    if (object.metadata.generateName !== undefined || child.namespace !== owner.metadata.namespace) continue
    const { status: _, metadata, ...content } = object
    const same: PlainObject = withoutAssigned({
      ...content,
      metadata: { name: metadata.name, namespace: metadata.namespace },
    })
    const fields = ownedFields(object, managers, sentOf(outcome, child))
    const different = fields
      .filter(({ path }) => path[0] !== 'metadata')
      .map(({ path, other }) => withField(same, path, other))
      .find((one) => !deepEqual(one, same))
    const occupiedBy = (occupied: PlainObject): Story => [
      ...needs.map(create),
      create(owner),
      { step: 'create', object: occupied, controlledBy: referenceTo(owner) },
    ]
    const trial = { class: 'takes-over', expects: { type: 'kept', object: child } } as const
    const [alike, unlike] = [occupiedBy(same), occupiedBy(different ?? same)]
    yield { ...trial, reference: alike, story: [...alike, create(sample), REST] }
    yield { ...trial, reference: unlike, story: [...unlike, create(sample), REST, remove, REST] }
  }
}

function* finalizerTrials({ sample, needs, outcome }: Subject): Generator<Trial> {
  const object = referenceTo(sample)
  const { finalizers = [] } = outcome.objects.find((one) => nameOf(one) === nameOf(sample))?.metadata ?? {}
  const value = [...finalizers, FOREIGN_FINALIZER]
  const story: Story = [
    ...undisturbed(sample, needs),
    { step: 'edit', object, path: ['metadata', 'finalizers'], value },
    { step: 'delete', object },
    REST,
  ]
  yield {
    class: 'foreign-field-lost',
    story,
    reference: [],
    expects: { type: 'held', object, finalizer: FOREIGN_FINALIZER },
  }
}

/** The object without the fields that a server assigns. */
function withoutAssigned(object: PlainObject): PlainObject {
  const { spec } = object as { spec?: Record<string, unknown> }
  if (object.kind !== 'Service' || !spec) return object
  const { clusterIP: _, clusterIPs: __, ...rest } = spec
  return { ...object, spec: rest }
}

function withField<Value>(value: Value, [key, ...rest]: readonly (string | number)[], other: unknown): Value {
  if (key === undefined) return other as Value
  const copy: any = Array.isArray(value) ? [...value] : { ...value }
  copy[key] = withField(copy[key], rest, other)
  return copy
}
