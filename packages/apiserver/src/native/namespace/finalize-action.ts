import { failure, labelKeyProblems, type ApiResponse } from '@homeostat/api'
import {
  acceptedBy,
  admittedOptions,
  type Call,
  documentAnswer,
  objectBody,
  statusAnswer,
  targetOf,
} from '../../http/index.ts'
import { checkName, decodeAndDefault, Failure, specOf, update } from '../../registry/index.ts'
import {
  causesOf,
  copyJson,
  type FieldError,
  invalidValue,
  type JsonObject,
  listOf,
  textOf,
  validateObjectMeta,
} from '../../schema/index.ts'

const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])
const UNQUALIFIED = 'name is neither a standard finalizer name nor is it fully qualified'

/** PUT of `namespaces/<name>/finalize`: the only way to change the finalizers in a namespace's spec. */
export async function finalizeAction(call: Call): Promise<ApiResponse> {
  const { registry, request, resource } = call
  if (request.method !== 'PUT') return statusAnswer(failure.methodNotAllowed())
  const accepted = acceptedBy(request)
  const options = admittedOptions(call, 'UpdateOptions')
  const target = targetOf(call)
  const { object, duplicates } = objectBody(call)
  decodeAndDefault(object, resource, options, duplicates)
  checkName(object, target.name)
  // A namespace has neither of them. Kubernetes drops both before it validates.
  delete object.metadata.namespace
  delete object.metadata.generation
  const finalizers = listOf(specOf(object)['finalizers'])
  const rules = { namespaced: false, names: 'segment', native: true } as const
  // The update replaces managed fields that are malformed.
  const { managedFields: _, ...metadata } = object.metadata
  const problems = [...validateObjectMeta(metadata, rules), ...specProblems(finalizers)]
  if (problems.length > 0) throw new Failure(failure.invalid(resource, target.name, causesOf(problems)))
  const written = await update(
    registry,
    target,
    {
      trusted: true,
      uid: object.metadata.uid,
      subresource: 'finalize',
      change(current) {
        if (!current) throw new Failure(failure.notFound(resource, target.name))
        return {
          ...copyJson(object),
          spec: { ...withoutFinalizers(specOf(current)), ...(finalizers.length > 0 && { finalizers }) },
        }
      },
      restore: (changed, current) => void (changed['status'] = copyJson(current['status'])),
    },
    options,
  )
  return documentAnswer(request, accepted, {
    resource,
    document: written.object,
    warnings: call.warnings,
    now: registry.clock.now(),
  })
}

function specProblems(finalizers: readonly unknown[]): FieldError[] {
  return finalizers.flatMap((item, index) => {
    const name = textOf(item)
    const plain = !name.includes('/') && !STANDARD_FINALIZERS.has(name)
    return [...labelKeyProblems(name), ...(plain ? [UNQUALIFIED] : [])].map((problem) =>
      invalidValue(`spec.finalizers[${index}]`, name, problem),
    )
  })
}

function withoutFinalizers(spec: JsonObject): JsonObject {
  const { finalizers: _, ...rest } = spec
  return rest
}
