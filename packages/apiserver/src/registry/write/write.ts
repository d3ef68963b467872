import { copyJson, equalJson } from '../../schema/index.ts'
import type { Admission, Proposal } from '../request/admission.ts'
import { objectRules } from '../object-rules/lazy-object-rules.ts'
import type { ServerObject } from '../resource/server-object.ts'
import type { Written } from './written.ts'

/**
 * One attempt at a write, against the object as it was read at the start of the attempt. {@link write} calls the steps
 * in the order in which they stand here. A step returns a promise only where it waits: a small object passes through
 * all of them in one turn of the event loop.
 */
export interface Attempt {
  readonly admission: Admission | undefined
  /**
   * Makes the requested object: decodes the body, or applies the patch to the current object. Drops unknown fields
   * and sets defaults.
   */
  propose(): void | Promise<void>
  /** Records the writer in the managed fields of the proposed object, before plugins that may change anything see it. */
  manage(): void | Promise<void>
  /** The write as admission plugins see it now. */
  proposal(): Proposal
  /** Accepts the changes of admission plugins. `sent` is the object before them. */
  admitted(sent: ServerObject): void
  /** Sets the fields that the server decides: metadata, managed fields, and those of the kind's strategy. */
  prepare(): void | Promise<void>
  /** The result of a write that changes nothing; undefined where it changes something. */
  unchanged(): Written | undefined
  /**
   * Fails with `Invalid` where a schema or a rule of the kind forbids the object. As in Kubernetes, a write that changes nothing is
   * validated too: some rules forbid what creation allows, a definition may have changed since the object was stored, and an empty list
   * that the client sent is not stored but may be forbidden.
   */
  validate(): void | Promise<void>
  /**
   * Converts the object into the version in which it is stored. Returns a promise only where a webhook converts it. A new object first gets
   * the default of its status, which is not validated.
   */
  toStoredVersion(): void | Promise<void>
  /**
   * Stores the object if the store still has the revision that the attempt began with. Undefined where another write
   * came first. With `waited`, other writes may have come since validation, and may have got the values that were
   * allocated to the object.
   */
  store(waited: boolean): Written | undefined
  /** The result of the write in the version of the request. It is a promise only where a webhook converts the object back. */
  toRequestedVersion(written: Written): Written | Promise<Written>
}

/**
 * The one path of every write: create, update, patch, apply and delete.
 *
 * `begin` reads the object as it is. Nothing is locked from there to `store`, which is the compare-and-set. Where it loses
 * against another write, the write starts over with a new attempt. `begin` fails where a large object or a generated name has lost too
 * often; a small object is tried until it is stored.
 */
export async function write(begin: (attempt: number) => Attempt | Promise<Attempt>): Promise<Written> {
  for (let number = 1; ; number++) {
    const begun = begin(number)
    const attempt = begun instanceof Promise ? await begun : begun
    const proposed = attempt.propose()
    if (proposed) await proposed

    const managed = managesEarly(attempt) ? attempt.manage() : undefined
    if (managed) await managed

    const mutated = mutate(attempt)
    if (mutated) await mutated

    const prepared = attempt.prepare()
    if (prepared) await prepared
    const unchanged = attempt.unchanged()

    const validated = attempt.validate()
    if (validated) await validated

    // Plugins may also reject a write that changes nothing.
    const agreed = attempt.admission?.validate(attempt.proposal())
    if (agreed) await agreed
    if (unchanged) return unchanged

    const converted = attempt.toStoredVersion()
    if (converted) await converted

    const written = attempt.store(agreed !== undefined || converted !== undefined)
    if (written) return attempt.toRequestedVersion(written)
  }
}

/**
 * Whether plugins are called that may leave an object incomplete: policies, webhooks and the caller's own hook, which see
 * the managed fields.
 */
function managesEarly(attempt: Attempt): boolean {
  return attempt.admission?.changes(attempt.proposal()) === 'anything'
}

/**
 * The mutating phase of admission. Changes of plugins have no field manager, so that the attempt keeps a copy of the
 * object as it was sent. The object is pruned and defaulted again only after a change by a plugin that may leave it
 * incomplete.
 */
function mutate(attempt: Attempt): void | Promise<void> {
  const { admission } = attempt
  if (!admission) return undefined
  const proposal = attempt.proposal()
  const changes = admission.changes(proposal)
  const { object } = proposal
  const sent = object && changes !== 'nothing' ? copyJson(object) : undefined
  const finish = (): void => {
    if (!object || !sent || equalJson(sent, object)) return
    if (changes === 'anything') {
      const { dropUnknownFields, fillDefaults } = objectRules.get()
      dropUnknownFields(object, proposal.resource)
      fillDefaults(object, proposal.resource)
    }
    attempt.admitted(sent)
  }
  const admitting = admission.admit(proposal)
  if (admitting) return admitting.then(finish)
  finish()
  return undefined
}
