import { forbidden, type Attributes } from '../auth/index.ts'
import type { Admit } from '../registry/write/admission.ts'
import { deleteObject, type Deleted, type DeleteOptions } from '../registry/write/deletion.ts'
import { Failure } from '../registry/failure.ts'
import { keyIn } from '../registry/registry.ts'
import { served } from '../registry/served.ts'
import type { Target, WriteOptions } from '../registry/target.ts'
import type { Call } from './call.ts'

/** The options of a write, with those who have a say in it. */
export function withAdmission<O extends WriteOptions>(call: Call, options: O): O {
  const { dryRun, fieldManager } = options
  const warn = (message: string): void => options.warn(message)
  const admit = call.admission.for(call.resource, { user: call.user, dryRun, fieldManager, warn })
  return { ...options, admit: call.request.method === 'POST' ? admit : whoMayCreate(call, admit) }
}

/** A PUT, or an apply, that makes a new object needs the right to do so. */
function whoMayCreate(call: Call, admit: Admit | undefined): Admit | undefined {
  const { user, authorizer, resource, route } = call
  const { group, version, plural } = resource
  const create: Attributes = {
    verb: 'create',
    path: call.request.path,
    resource: { group, version, plural },
    namespace: route.namespace,
    name: route.name,
  }
  const { allowed, reason } = authorizer(user, create)
  if (allowed) return admit
  return {
    changes: admit?.changes ?? false,
    admit: (proposal) => admit?.admit(proposal),
    validate(proposal) {
      if (proposal.operation === 'CREATE') throw new Failure(forbidden(user, create, reason).status)
      admit?.validate(proposal)
    },
  }
}

/** Deletes an object, if those who have a say in it agree. What they have agreed to is what is deleted. */
export async function admittedDelete(call: Call, target: Target, options: DeleteOptions): Promise<Deleted> {
  const { registry, user, warnings } = call
  const { resource, namespace, name } = target
  const admit = call.admission.for(resource, {
    user,
    dryRun: options.dryRun ?? false,
    warn: (message) => void warnings.push(message),
  })
  if (!admit) return deleteObject(registry, target, options)
  const key = keyIn(resource, namespace, name)
  for (;;) {
    const existing = registry.get(resource, key)
    if (existing) {
      const proposal = {
        operation: 'DELETE',
        resource,
        namespace,
        name,
        old: served(existing, resource),
      } as const
      await admit.admit(proposal)
      admit.validate(proposal)
    }
    if (registry.get(resource, key)?.revision === existing?.revision) {
      return deleteObject(registry, target, options)
    }
  }
}
