import type { AnyKind } from '@homeostat/api'

type Verb = 'mutate' | 'validate'

/** Where controller-runtime's builder serves the webhook of a kind, too: a cluster's configuration can stay when an operator moves. */
export function pathOfKind(verb: Verb, { group, version, kind }: AnyKind, subresource: string): string {
  const names = [verb, group.replaceAll('.', '-'), version, kind.toLowerCase()]
  return `/${[...names, ...(subresource === '' ? [] : [subresource])].join('-')}`
}

/** The path of a webhook that is known by its name alone. */
export function pathOfName(verb: Verb, name: string): string {
  return `/${verb}-${name.replaceAll('.', '-')}`
}

/** A name for the webhook of a kind that has the two dots which an API server asks for. */
export function nameOfKind(verb: Verb, { group, plural }: AnyKind, subresource: string): string {
  const names = [verb, ...(subresource === '' ? [] : [subresource]), plural, group === '' ? 'core' : group]
  return names.join('.')
}
