import {
  type FieldError,
  keepSentEmpty,
  type NameForm,
  validateNativeFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
  withBigInts,
  withNearestNumbers,
} from '../../schema/index.ts'
import { validate, type ValidateOptions, validateStatus } from '../../validation/index.ts'
import type { KindPart, KindStrategy, UpdateStep } from '../resource/kind-strategy.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'
import { kindErrors } from './kind-errors.ts'

/** Validates a new object. */
export function createProblems(object: ServerObject, resource: Resource, names: NameForm): FieldError[] {
  const rules = { namespaced: resource.scope === 'Namespaced', names }
  if (resource.custom) {
    const wrong = kindErrors(object, resource)
    const others = wrong.length > 0 ? [] : validateObjectMeta(object.metadata, rules)
    const options = { ...customOptions(resource), others, kindErrors: wrong }
    return [...others, ...validate(resource.schema, object, undefined, options)]
  }
  const strategy = resource.strategy()
  const { uncheckedGenerateName } = strategy
  const native = !strategy.plainFinalizers
  const view = viewFor(strategy, object)
  const problems = strategy.validate?.(view) ?? []
  if (strategy.metadataLast && problems.length > 0) return problems
  const found = [
    ...validateObjectMeta(view.metadata, { ...rules, native, uncheckedGenerateName }),
    ...problems,
  ]
  // Every name stands in a path. Kubernetes says so where it finds no other mistake.
  if ((names !== 'any' && !uncheckedGenerateName) || found.length > 0) return found
  return validateObjectMeta(view.metadata, { ...rules, names: 'segment', native })
}

/** The object for its strategy: with exact numbers, unless the strategy wants JavaScript's. Those of metadata are always exact. */
function viewFor({ nearestNumbers }: KindStrategy, object: ServerObject): ServerObject {
  if (!nearestNumbers) return withBigInts(object)
  const view = withNearestNumbers(object)
  return view === object ? view : keepSentEmpty({ ...view, metadata: withBigInts(object.metadata) }, view)
}

function customOptions(resource: Resource, warn?: (message: string) => void): ValidateOptions {
  return { warn, scale: resource.subresources.scale }
}

/** The part of an object that a subresource writes; undefined for other subresources. */
export function partOf(resource: Resource, subresource: string | undefined): KindPart | undefined {
  return subresource === undefined ? undefined : resource.strategy().parts?.[subresource]
}

const STEPS: readonly UpdateStep[] = ['metadata change', 'object', 'change']

/** Validates a changed object, except for the rules of all objects. */
export function updateProblems(
  changed: ServerObject,
  before: ServerObject,
  resource: Resource,
  names: NameForm,
  subresource: string | undefined,
  warn?: (message: string) => void,
): FieldError[] {
  if (resource.custom) {
    const options = customOptions(resource, warn)
    return subresource === 'status'
      ? validateStatus(resource.schema, changed, before, options)
      : validate(resource.schema, changed, before, { ...options, kindErrors: kindErrors(changed, resource) })
  }
  const strategy = resource.strategy()
  const [object, old] = [viewFor(strategy, changed), viewFor(strategy, before)]
  const native = !strategy.plainFinalizers
  const changes = (): FieldError[] => [
    ...validateObjectMetaUpdate(object.metadata, old.metadata),
    ...(native ? validateNativeFinalizers(object.metadata) : []),
  ]
  if (subresource === 'status') {
    const status = strategy.validateStatus?.(object, old) ?? []
    return strategy.plainStatusFinalizers ? status : [...changes(), ...status]
  }
  const part = partOf(resource, subresource)
  if (part?.replaces(old)) return part.validate(object, old)
  return (strategy.updateSteps ?? STEPS).flatMap((step) => {
    switch (step) {
      case 'metadata':
        return validateObjectMeta(object.metadata, {
          namespaced: resource.scope === 'Namespaced',
          names,
          native,
          uncheckedGenerateName: strategy.uncheckedGenerateName,
        })
      case 'metadata change':
        return changes()
      case 'object':
        return strategy.validate?.(object, old) ?? []
      default:
        return part?.validate(object, old) ?? strategy.validateUpdate?.(object, old) ?? []
    }
  })
}
