import { forbidden, type Attributes } from '../auth/index.ts'
import type { Admission } from '../registry/admission.ts'
import { Failure } from '../registry/failure.ts'
import type { WriteOptions } from '../registry/target.ts'
import type { Call } from './call.ts'
import { writeOptions } from './request-options.ts'

/** The options of a write that admission plugins look at. `kind` is the API's name of its options. */
export function admittedOptions(
  call: Call,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  applies = false,
): WriteOptions & { force: boolean } {
  const { user, admission: plugins } = call
  const warn = warnTo(call)
  const options = writeOptions(call.request, kind, warn, applies)
  const { dryRun, fieldManager } = options
  const admission = plugins.boundTo({ user, dryRun, fieldManager, warn })
  return { ...options, admission, authorizeCreate: () => authorizeCreate(call) }
}

/** The admission plugins for the deletions of a request. */
export function admissionOf({ user, admission, warnings }: Call, dryRun = false): Admission {
  return admission.boundTo({ user, dryRun, warn: (message) => void warnings.push(message) })
}

/** Fails where the user may not create the object that their update or apply would create. */
function authorizeCreate({ user, authorizer, resource, route, request }: Call): void {
  const { group, version, plural } = resource
  const { namespace, name } = route
  const create: Attributes = {
    verb: 'create',
    path: request.path,
    resource: { group, version, plural },
    namespace,
    name,
  }
  const { allowed, reason } = authorizer(user, create)
  if (!allowed) throw new Failure(forbidden(user, create, reason).status)
}

/** More than a header holds: further warnings are dropped. */
const MOST_WARNINGS = 5_000

function warnTo(call: Call): (message: string) => void {
  // A write that starts over warns again.
  const told = new Set(call.warnings)
  return (message) => {
    if (told.size >= MOST_WARNINGS || told.has(message)) return
    told.add(message)
    call.warnings.push(message)
  }
}
