import type { FieldError, NameForm } from '../../schema/index.ts'
import { inTurns, isLarge, limited, OverBudget } from '../../work/index.ts'
import { sentResource } from '../state/background.ts'
import { jsonInParts } from '../stored/json-in-parts.ts'
import { objectRules } from '../object-rules/lazy-object-rules.ts'
import type { Registry } from '../state/registry.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'

/** The most work of a check in the server's own thread: some 50 ms. A longer check runs in the background. */
const STEPS = 250_000

/** An object to be checked. */
export interface Candidate {
  readonly object: ServerObject
  /** The object as it was; absent for a new one. */
  readonly old?: ServerObject | undefined
  readonly resource: Resource
  readonly names: NameForm
  readonly subresource?: string | undefined
  /** About how long the object is, as JSON in bytes. */
  readonly size: number
  /** Called for rules that an unchanged part of the object breaks. */
  warn(message: string): void
}

/** Validates an object by the rules of its kind. Returns a promise where that takes long. */
export function problemsOf(
  registry: Registry,
  candidate: Candidate,
): readonly FieldError[] | Promise<readonly FieldError[]> {
  const { object, old, resource, subresource } = candidate
  const context = { ...registry.context(resource), status: subresource === 'status' }
  const first = resource.strategy().validateInStore?.(object, old, context) ?? []
  const others = ownProblems(registry, candidate)
  if (others instanceof Promise) return others.then((found) => [...first, ...found])
  return first.length === 0 ? others : [...first, ...others]
}

function ownProblems(
  registry: Registry,
  candidate: Candidate,
): readonly FieldError[] | Promise<readonly FieldError[]> {
  const { background } = registry
  // Nothing may happen between an allocation and its write.
  if (!background || candidate.resource.strategy().allocate) return problemsHere(candidate)
  if (!isLarge(candidate.size)) {
    try {
      return limited(STEPS, () => problemsHere(candidate))
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error
    }
  }
  return inBackground(background, candidate)
}

function problemsHere(candidate: Candidate): readonly FieldError[] {
  const { object, old, resource, names, subresource } = candidate
  const { createProblems, updateProblems } = objectRules.get()
  if (!old) return createProblems(object, resource, names)
  return updateProblems(object, old, resource, names, subresource, (message) => candidate.warn(message))
}

async function inBackground(
  background: NonNullable<Registry['background']>,
  candidate: Candidate,
): Promise<readonly FieldError[]> {
  const { object, old, names, subresource } = candidate
  const { problems, warnings } = await background.run('check', {
    ...sentResource(candidate.resource),
    object: await inTurns(jsonInParts(object)),
    old: old && (await inTurns(jsonInParts(old))),
    names,
    subresource,
  })
  for (const warning of warnings) candidate.warn(warning)
  return problems
}
