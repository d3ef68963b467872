import { failure, type Pausable, type Status } from '@homeostat/api'
import type { AuditRecord } from '../audit/index.ts'
import type { User } from '../auth/index.ts'
import { Failure, type Proposal, type ServerObject, type SubmittedKind } from '../registry/index.ts'

/** A write, as admission plugins see it. */
export interface AdmissionRequest {
  readonly operation: Proposal['operation']
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly resource: { readonly group: string; readonly version: string; readonly plural: string }
  /** The kind of the objects, if it is not the kind of the resource. */
  readonly submitted?: SubmittedKind | undefined
  /** `status`, `scale`, …; undefined for the object itself. */
  readonly subresource?: string | undefined
  readonly namespace?: string | undefined
  /** Empty if the server has yet to generate the name. */
  readonly name: string
  /** The object to store; a hook may change it in place. Undefined for a deletion. */
  readonly object?: ServerObject | undefined
  /** The object as it is stored now. Undefined for a creation. */
  readonly oldObject?: Readonly<ServerObject> | undefined
  readonly user: User
  readonly dryRun: boolean
  /** The writer's name in managed fields; undefined for a deletion. */
  readonly fieldManager?: string | undefined
  /** The options of the request, as the API's CreateOptions, UpdateOptions or DeleteOptions. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
  /** Set by a plugin that wants all plugins of the mutating phase to be called once more. */
  reinvocation?: Reinvocation | undefined
  /** The work that waits for the plugins; it is paused while they wait for simulated time to pass. */
  readonly waiting?: Pausable | undefined
  /** Sends a warning to the writer; the write still succeeds. */
  readonly warn: (message: string) => void
  /** The audit record of the request; undefined where none is written. */
  readonly audit?: AuditRecord | undefined
  /** Refuses the write with 403, or with the given status. */
  readonly refuse: (why: string | Status) => never
}

/** A second round of the mutating phase, which follows when a webhook has changed the object. */
export interface Reinvocation {
  /** Whether a second round is needed. */
  isRequired: boolean
  /** Whether the second round has begun. */
  isUnderWay: boolean
  readonly policies: ReinvokedHooks
  readonly webhooks: ReinvokedHooks
}

/** Which webhooks or policies are called in the second round. */
export interface ReinvokedHooks {
  /** The object as the last of them left it. */
  output?: ServerObject | undefined
  /** Those that want to see later changes, and were called since the object last changed. */
  readonly called: Set<string>
  /** Those that are called in the second round. */
  readonly eligible: Set<string>
}

/** The sender and the options of a write. */
export interface Writer {
  readonly user: User
  readonly dryRun: boolean
  readonly fieldManager?: string | undefined
  /** Whether the request names no object, since it deletes a collection. Default: false. */
  readonly ofCollection?: boolean | undefined
  /** The audit record of the request. */
  readonly audit?: AuditRecord | undefined
  /** The request, which waits for the plugins. */
  readonly waiting?: Pausable | undefined
  /** The options of the request for one of its operations. */
  options?(operation: Proposal['operation']): Readonly<Record<string, unknown>>
  warn(message: string): void
}

/** A write as a plugin sees it. */
export function admissionRequest(proposal: Proposal, writer: Writer): AdmissionRequest {
  return new ProposedWrite(proposal, writer)
}

/** A class, since creating an object with its own getter takes ten times as long, and every write creates two. */
class ProposedWrite implements AdmissionRequest {
  readonly operation: Proposal['operation']
  readonly kind: AdmissionRequest['kind']
  readonly resource: AdmissionRequest['resource']
  readonly submitted: SubmittedKind | undefined
  readonly subresource: string | undefined
  readonly namespace: string | undefined
  readonly name: string
  readonly object: ServerObject | undefined
  readonly oldObject: Readonly<ServerObject> | undefined
  readonly user: User
  readonly dryRun: boolean
  readonly fieldManager: string | undefined
  readonly waiting: Pausable | undefined
  readonly audit: AuditRecord | undefined
  readonly warn: AdmissionRequest['warn']
  readonly refuse: AdmissionRequest['refuse']
  reinvocation: Reinvocation | undefined
  readonly #writer: Writer

  constructor(proposal: Proposal, writer: Writer) {
    const { operation, resource, submitted, subresource, namespace, name } = proposal
    const { group, version, kind, plural } = resource
    this.#writer = writer
    this.operation = operation
    this.kind = submitted
      ? { group: submitted.group, version: submitted.version, kind: submitted.kind }
      : { group, version, kind }
    this.resource = { group, version, plural }
    this.submitted = submitted
    this.subresource = subresource
    this.namespace = namespace
    this.name = writer.ofCollection ? '' : name
    this.object = proposal.object
    this.oldObject = proposal.old
    this.user = writer.user
    this.dryRun = writer.dryRun
    this.fieldManager = writer.fieldManager
    this.waiting = writer.waiting
    this.audit = writer.audit
    this.warn = (message) => writer.warn(message)
    this.refuse = (why) => {
      const { generateName } = (proposal.submitted ? undefined : proposal.object?.metadata) ?? {}
      const called = name || generateName || 'Unknown'
      throw new Failure(typeof why === 'string' ? failure.forbidden(resource, called, why) : why)
    }
  }

  get options(): AdmissionRequest['options'] {
    return this.#writer.options?.(this.operation)
  }
}
