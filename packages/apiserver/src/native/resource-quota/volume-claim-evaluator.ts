import {
  compareQuantities,
  type JsonObject,
  objectOf,
  parseQuantity,
  type Quantity,
  textOf,
  isWhole,
  wholeValue,
} from '../../schema/index.ts'
import { type Amounts, countOf } from './amounts.ts'
import { meetsScope, type QuotaEvaluator } from './evaluator.ts'

const NAMES = new Set(['count/persistentvolumeclaims', 'persistentvolumeclaims', 'requests.storage'])
const BY_CLASS = '.storageclass.storage.k8s.io/'
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class'

/** Counts PersistentVolumeClaims and their requested storage, in total and by StorageClass. */
export const volumeClaimEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource }) =>
    operation === 'CREATE' || (operation === 'UPDATE' && (subresource ?? 'status') === 'status'),
  measures: (name) =>
    NAMES.has(name) ||
    name.endsWith(`${BY_CLASS}persistentvolumeclaims`) ||
    name.endsWith(`${BY_CLASS}requests.storage`),
  usage: usageOf,
  isInScope(claim, scope) {
    if (scope.scopeName !== 'VolumeAttributesClass') return false
    const names = attributesClasses(claim)
    return names.length === 0 ? meetsScope(undefined, scope) : names.some((name) => meetsScope(name, scope))
  },
}

function usageOf(claim: JsonObject): Amounts {
  const spec = objectOf(claim['spec'])
  const annotation = objectOf(objectOf(claim['metadata'])['annotations'])[CLASS_ANNOTATION]
  const storageClass = textOf(annotation ?? spec['storageClassName'] ?? '')
  const usage = new Map<string, Quantity>([
    ['persistentvolumeclaims', countOf(1)],
    ['count/persistentvolumeclaims', countOf(1)],
  ])
  if (storageClass !== '') usage.set(`${storageClass}${BY_CLASS}persistentvolumeclaims`, countOf(1))
  const storage = storageOf(spec, objectOf(claim['status']))
  if (!storage) return usage
  usage.set('requests.storage', storage)
  if (storageClass !== '') usage.set(`${storageClass}${BY_CLASS}requests.storage`, storage)
  return usage
}

/** The requested storage, or the allocated storage where that is more, in whole bytes. */
function storageOf(spec: JsonObject, status: JsonObject): Quantity | undefined {
  const asked = parseQuantity(objectOf(objectOf(spec['resources'])['requests'])['storage'])
  const allocated = parseQuantity(objectOf(status['allocatedResources'])['storage'])
  if (!asked) return undefined
  const more = allocated && compareQuantities(allocated, asked) > 0 ? allocated : asked
  return isWhole(more) ? more : { ...more, mantissa: wholeValue(more), exponent: 0 }
}

function attributesClasses({ spec, status }: JsonObject): string[] {
  const { currentVolumeAttributesClassName, modifyVolumeStatus } = objectOf(status)
  const names = [
    objectOf(spec)['volumeAttributesClassName'],
    currentVolumeAttributesClassName,
    objectOf(modifyVolumeStatus)['targetVolumeAttributesClassName'],
  ]
  return [...new Set(names.map((name) => textOf(name ?? '')).filter((name) => name !== ''))]
}
