import type { AnyKind } from '@homeostat/api'

type Verb = 'mutate' | 'validate'

/**
 * The path at which controller-runtime's builder also serves the webhook of a kind. So a cluster's configuration stays
 * valid when an operator moves to this runtime.
 */
export function pathOfKind(verb: Verb, { group, version, kind }: AnyKind, subresource: string): string {
  const names = [verb, group.replaceAll('.', '-'), version, kind.toLowerCase()]
  return `/${[...names, ...(subresource === '' ? [] : [subresource])].join('-')}`
}

/** The path of a webhook that is known by its name alone. */
export function pathOfName(verb: Verb, name: string): string {
  return `/${verb}-${name.replaceAll('.', '-')}`
}

/** A name for the webhook of a kind, with the two dots that an API server requires. */
export function nameOfKind(verb: Verb, { group, plural }: AnyKind, subresource: string): string {
  const names = [verb, ...(subresource === '' ? [] : [subresource]), plural, group === '' ? 'core' : group]
  return names.join('.')
}
