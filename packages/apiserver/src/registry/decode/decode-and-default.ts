import { apiVersionOf, failure, parseApiVersion } from '@homeostat/api'
import { DefaultsTooLong, keepSentEmpty, quote } from '../../schema/index.ts'
import { Failure } from '../resource/failure.ts'
import { objectRules } from '../object-rules/lazy-object-rules.ts'
import type { Resource } from '../resource/resource.ts'
import { asServerObject, type ServerObject } from '../resource/server-object.ts'
import { tooLarge } from '../stored/stored-size.ts'
import { withoutParts, withParts } from './known-parts.ts'
import type { WriteOptions } from '../request/target.ts'
import { atOnce, type InParts } from '../../work/index.ts'

/** Options of {@link decodeAndDefault}. */
export interface DecodeOptions extends Pick<WriteOptions, 'fieldValidation' | 'warn'> {
  /**
   * Whether messages show the names of unknown fields without escapes. Kubernetes does not read the result of
   * a strategic merge from JSON again, and the reader that it uses there does not escape. Default: only for
   * custom resources.
   */
  readonly unescapedNames?: boolean | undefined
  /** Whether the metadata are known to be readable, as those of a custom object in a body are. Default: false. */
  readonly metadataRead?: boolean | undefined
  /**
   * The parts of the object that equal the stored ones: only the strategy of the kind reads them. Default: none.
   */
  readonly known?: ReadonlySet<string> | undefined
}

/**
 * Completes an object that a client sent or that a patch produced: drops unknown fields, reports them as the client
 * wants it, and sets defaults. `duplicates` are the messages about duplicate fields of the body. `refuse` makes the
 * failure for an unreadable result of a patch. `refuseApplied` makes that for the result of an apply, in which a null is a
 * mistake; otherwise it counts as unset.
 */
export function decodeAndDefault(
  object: ServerObject,
  resource: Resource,
  options: DecodeOptions,
  duplicates: readonly string[] = [],
  refuse?: (problem: string) => Failure,
): ServerObject {
  return atOnce(decodeAndDefaultInParts(object, resource, options, duplicates, refuse))
}

/** Does the same in parts. Changes the object, and returns it; where parts are known, the result is another object. */
export function* decodeAndDefaultInParts(
  sent: ServerObject,
  resource: Resource,
  options: DecodeOptions,
  duplicates: readonly string[] = [],
  refuse?: (problem: string) => Failure,
  refuseApplied?: (problem: string) => Failure,
): InParts<ServerObject> {
  const known = options.known?.size ? options.known : undefined
  const object = known ? asServerObject(withoutParts(sent, known)) : sent
  const fail = refuse ?? ((problem) => unreadableBody(object, resource, problem))
  const { completesAsWritten, unreadable, dropUnknownFields, fillSchemaDefaults } = objectRules.get()
  const asWritten = completesAsWritten(object, resource)
  yield
  const problem = asWritten ? undefined : unreadable(object, resource, options.metadataRead)
  if (problem !== undefined) throw (refuseApplied ?? fail)(problem)
  yield
  const unknown = asWritten ? [] : dropUnknownFields(object, resource)
  yield
  if (options.fieldValidation !== 'Ignore') {
    // An apply has already reported undeclared fields, except those below fields of any type, which Kubernetes drops
    // silently.
    const reported = refuseApplied ? [] : isKnown(object, resource) ? unknown : unknown.filter(isInMetadata)
    const { unescapedNames = resource.custom } = options
    const unknownFields = reported.map(
      (path) => `unknown field ${unescapedNames ? `"${path}"` : quote(path)}`,
    )
    // A custom resource, and the result of a patch, is read twice: duplicate fields are found first.
    const problems =
      resource.custom || refuse
        ? [...duplicates, ...unknownFields]
        : [...unknownFields, ...outside(duplicates, unknown)].slice(0, MOST_OF_NATIVE)
    if (problems.length > 0 && options.fieldValidation === 'Strict') {
      throw fail(`strict decoding error: ${strictText(problems)}`)
    }
    for (const problem of problems) options.warn(problem)
  }
  yield
  try {
    fillSchemaDefaults(object, resource, refuseApplied !== undefined, asWritten)
  } catch (error) {
    throw error instanceof DefaultsTooLong ? tooLarge() : error
  }
  const whole = known ? keepSentEmpty(withParts(object, known, sent), object) : object
  resource.strategy().default?.(whole)
  dropRepeatedOwners(whole, options)
  return whole
}

/** Only the metadata of a custom object of another kind or version can be checked here. Validation refuses the object. */
function isKnown(object: ServerObject, resource: Resource): boolean {
  return !resource.custom || (object.kind === resource.kind && object.apiVersion === apiVersionOf(resource))
}

function isInMetadata(path: string): boolean {
  return path.startsWith('metadata.')
}

/** Identical owner references count once. */
function dropRepeatedOwners({ metadata }: ServerObject, options: DecodeOptions): void {
  const owners = metadata.ownerReferences ?? []
  if (owners.length < 2) return
  const seen = new Map<string, (typeof owners)[number]>()
  const repeated: string[] = []
  for (const owner of owners) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner
    const words = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion])
    if (seen.has(words)) repeated.push(uid)
    else seen.set(words, owner)
  }
  if (repeated.length === 0) return
  metadata.ownerReferences = [...seen.values()]
  options.warn(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  )
}

/** How many warnings about an object of a native kind are sent. */
const MOST_OF_NATIVE = 100
const LONGEST_PATH = 4_096

/** Duplicate fields, except those inside an unknown field, which are not checked. */
function outside(duplicates: readonly string[], unknown: readonly string[]): readonly string[] {
  if (duplicates.length === 0 || unknown.length === 0) return duplicates
  const starts = new Set(unknown.map((path) => `duplicate field ${quote(path).slice(0, -1)}`))
  return duplicates.filter((text) => {
    // Only the beginning of a long path is looked up.
    for (let end = 0; end < Math.min(text.length, LONGEST_PATH); end++) {
      if ('".['.includes(text.charAt(end)) && starts.has(text.slice(0, end))) return false
    }
    return true
  })
}

/** All problems in one text; the YAML reader has already joined its own. */
function strictText(problems: readonly string[]): string {
  const lines = problems.filter((text) => text.startsWith('line '))
  if (lines.length === 0) return problems.join(', ')
  const others = problems.filter((text) => !text.startsWith('line '))
  return [`yaml: unmarshal errors:\n  ${lines.join('\n  ')}`, ...others].join(', ')
}

/** The API's answer for a body that cannot be read as an object of its kind. */
export function unreadableBody(object: ServerObject, resource: Resource, problem: string): Failure {
  const said = resource.custom ? { kind: object.kind, ...parseApiVersion(object.apiVersion) } : resource
  return new Failure(
    failure.badRequest(
      `${object.kind} in version ${JSON.stringify(said.version)} cannot be handled as a ${said.kind}: ${problem}`,
    ),
  )
}
