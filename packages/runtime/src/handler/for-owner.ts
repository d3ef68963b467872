import {
  checkOptionNames,
  optionNames,
  parseApiVersion,
  type AnyKind,
  type ObjectKey,
  type ObjectOf,
  type OwnerReference,
} from '@homeostat/api'
import { metadataBefore, type ObjectEvent } from '../cache/index.ts'
import type { Handler } from './handler.ts'

/** The owners that {@link forOwner} makes requests for. */
export interface ForOwnerOptions {
  /** Whether any owner of the kind counts, not only the one that controls the object. Default: false. */
  everyOwner?: boolean | undefined
}

const FOR_OWNER_OPTIONS = optionNames<ForOwnerOptions>('handlers.forOwner', { everyOwner: true })

/**
 * Makes a request for each owner of the object that is of the kind; by default, only for the owner that controls the
 * object. On an update it uses the owners before and after, so that an owner that lost a child is reconciled too.
 */
export function forOwner<K extends AnyKind>(
  kind: K,
  options: ForOwnerOptions = {},
): Handler<ObjectEvent, ObjectKey, ObjectOf<K>['kind'] & string> {
  checkOptionNames(options, FOR_OWNER_OPTIONS)
  const owners = ({ namespace, ownerReferences = [] }: ObjectEvent['object']['metadata']): ObjectKey[] => {
    return (ownerReferences as readonly OwnerReference[])
      .filter((owner) => isOfKind(owner, kind) && (options.everyOwner || owner.controller))
      .map(({ name }) => (kind.scope === 'Namespaced' && namespace ? { namespace, name } : { name }))
  }
  return {
    requests: (event) =>
      event.type === 'updated'
        ? [...owners(metadataBefore(event)), ...owners(event.object.metadata)]
        : owners(event.object.metadata),
  }
}

/** The version does not count: an owner may have been set under an older one. */
function isOfKind(owner: OwnerReference, kind: AnyKind): boolean {
  return owner.kind === kind.kind && parseApiVersion(owner.apiVersion).group === kind.group
}
