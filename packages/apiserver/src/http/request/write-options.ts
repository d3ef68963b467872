import { forbidden, whenDecided, type Asking, type Attributes } from '../../auth/index.ts'
import {
  type Admission,
  type DeleteOptions,
  Failure,
  type Operation,
  type ServerObject,
  type WriteOptions,
} from '../../registry/index.ts'
import type { Call } from './call.ts'
import { writeOptions } from './request-options.ts'

/** The options of a write, with its admission plugins. `kind` is the API's name for them. */
export function admittedOptions(
  call: Call,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  applies = false,
): WriteOptions & { force: boolean } {
  const { user, admission: plugins, audit } = call
  const warn = warnTo(call)
  const options = writeOptions(call.request, kind, warn, applies)
  const { dryRun, fieldManager } = options
  const admission = plugins.get().boundTo({
    user,
    dryRun,
    fieldManager,
    warn,
    waiting: call.work,
    options: (operation) => sentOptions(call, operation),
    audit,
  })
  const decoded = audit && ((object: ServerObject) => audit.sentObject(object))
  return { ...options, decoded, admission, authorizeCreate: () => whenDecided(authorizeCreate(call)) }
}

/** The admission plugins for the deletions of a request. */
export function admissionOf(call: Call, options: DeleteOptions, ofCollection = false): Admission {
  const { user, admission, warnings, audit } = call
  const { dryRun = false, ...given } = options
  return admission.get().boundTo({
    user,
    dryRun,
    ofCollection,
    audit,
    warn: (message) => void warnings.push(message),
    waiting: call.work,
    options: () => ({
      kind: 'DeleteOptions',
      apiVersion: META,
      ...given,
      ...(dryRun && { dryRun: ['All'] }),
    }),
  })
}

/** The admission plugins for a request that connects. */
export function connectAdmission(call: Call): Admission {
  const { user, admission, work: waiting, audit } = call
  return admission.get().boundTo({ user, dryRun: false, warn: warnTo(call), waiting, audit })
}

const META = 'meta.k8s.io/v1'

/** The options in the query of a request that creates or updates. */
function sentOptions({ request: { query } }: Call, operation: Operation): Record<string, unknown> {
  const [fieldManager, fieldValidation] = [query.get('fieldManager'), query.get('fieldValidation')]
  return {
    kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions',
    apiVersion: META,
    ...(query.has('dryRun') && { dryRun: ['All'] }),
    ...(fieldManager && { fieldManager }),
    ...(fieldValidation && { fieldValidation }),
  }
}

/** Fails where the user may not create the object that their update or apply would create. */
function* authorizeCreate({ user, authorizer, resource, route, request }: Call): Asking<void> {
  const { group, version, plural } = resource
  const { namespace, name } = route
  const create: Attributes = {
    verb: 'create',
    path: request.path,
    resource: { group, version, plural },
    namespace,
    name,
  }
  const { allowed, reason } = yield authorizer(user, create)
  if (!allowed) throw new Failure(forbidden(user, create, reason).status)
}

/** The most warnings of a write: more than fit into the header of an answer. Further ones are dropped. */
const MOST_WARNINGS = 5_000

function warnTo(call: Call): (message: string) => void {
  // A write that is retried warns again.
  const told = new Set(call.warnings)
  return (message) => {
    if (told.size >= MOST_WARNINGS || told.has(message)) return
    told.add(message)
    call.warnings.push(message)
  }
}
