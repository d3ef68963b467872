import { apiVersionOf } from '@homeostat/api'
import { updateFields } from '../../fields/index.ts'
import type { Admission, Proposal, SubmittedKind } from '../request/admission.ts'
import type { Target, WriteOptions } from '../request/target.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'
import { objectRules } from '../object-rules/lazy-object-rules.ts'
import { fieldsWrite } from '../write/managed-fields.ts'

/**
 * An object that a subresource accepts and does not store: a Binding, a TokenRequest, the options of a connection.
 */
export interface Submission {
  readonly operation: 'CREATE' | 'CONNECT'
  /** The object that it is about. */
  readonly target: Target
  /** Undefined where it has its own resource. */
  readonly subresource?: string | undefined
  readonly kind: SubmittedKind
  readonly object: ServerObject
}

/** The kind of a submitted object that has a schema. */
export function submittedKind(type: Resource): SubmittedKind {
  return {
    group: type.group,
    version: type.version,
    kind: type.kind,
    complete(object) {
      const { dropUnknownFields, fillDefaults } = objectRules.get()
      dropUnknownFields(object, type)
      fillDefaults(object, type)
    },
  }
}

/** The mutating phase of admission, in which plugins may change the object. Fails with `Failure` where one rejects it. */
export async function admitSubmission(
  admission: Admission | undefined,
  submission: Submission,
): Promise<void> {
  await admission?.admit(proposalOf(submission))
}

/** The validating phase of admission, after the server has checked the object. Fails with `Failure` where a plugin rejects it. */
export async function validateSubmission(
  admission: Admission | undefined,
  submission: Submission,
): Promise<void> {
  await admission?.validate(proposalOf(submission))
}

/** Gives a submitted object the metadata that plugins see: its namespace, and the fields of its writer. */
export function prepareSubmitted(
  object: ServerObject,
  type: Resource,
  { target, now }: { readonly target: Target; readonly now: number },
  { fieldManager }: Pick<WriteOptions, 'fieldManager'>,
  subresource: string | undefined,
): void {
  object.apiVersion = apiVersionOf(type)
  object.kind = type.kind
  if (target.namespace !== undefined) object.metadata.namespace = target.namespace
  updateFields({ ...fieldsWrite(type, fieldManager, now, subresource), before: undefined, after: object })
}

function proposalOf({ operation, target, subresource, kind, object }: Submission): Proposal {
  const { resource, namespace, name } = target
  return { operation, resource, namespace, name, subresource, submitted: kind, object }
}
