import type { Change } from './recorder.ts'

/** One object from its making to its end, by its uid. */
export interface Life {
  readonly uid: string
  readonly kind: string
  readonly name: string
  /** The random part was added to this. */
  readonly generateName: string | undefined
  readonly changes: readonly { readonly step: number; readonly type: Change['type']; readonly object: any }[]
}

/** Where a scenario was played. */
export interface Surroundings {
  readonly namespace: string
  readonly node: string
}

/** Turns texts of one run into texts that every run has in common. */
export type Rename = (text: string) => string

const HASH_LABELS = ['pod-template-hash', 'controller.kubernetes.io/hash']
/** In a Pod of a StatefulSet it is the name of a revision. */
const REVISION_LABEL = 'controller-revision-hash'
const SCHEDULED = /-(\d{7,})$/
const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** The name that a Pod was to have, had it been allowed. */
const REFUSED = /(pods "[\w.-]+-)[a-z0-9]{5}(" is forbidden)/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g

/** Names that are the same for all runs: the namespace, hashes of templates and minutes by their order. */
function knownNames({ namespace, node }: Surroundings, lives: readonly Life[]): Map<string, string> {
  const names = new Map([
    [namespace, '{ns}'],
    [node, 'NODE'],
  ])
  const hashes = new Set<string>()
  const minutes = new Set<string>()
  for (const { kind, name, changes } of lives) {
    for (const label of kind === 'ControllerRevision' ? [...HASH_LABELS, REVISION_LABEL] : HASH_LABELS) {
      const hash: string | undefined = changes[0]?.object.metadata.labels?.[label]
      if (hash) hashes.add(hash)
    }
    const minute = kind === 'Job' ? SCHEDULED.exec(name)?.[1] : undefined
    if (minute) minutes.add(minute)
  }
  for (const [index, hash] of [...hashes].entries()) names.set(hash, `HASH${index + 1}`)
  for (const [index, minute] of [...minutes].sort().entries()) names.set(minute, `MINUTE${index + 1}`)
  return names
}

function renaming(names: ReadonlyMap<string, string>, uidOf: (uid: string) => string): Rename {
  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length)
  const any = new RegExp(longestFirst.map((name) => name.replaceAll(/[.+*?()[\]]/g, '\\$&')).join('|'), 'g')
  return (text) =>
    text
      .replaceAll(UID, uidOf)
      .replaceAll(TIME, 'TIME')
      .replaceAll(REFUSED, '$1RANDOM$2')
      .replaceAll(any, (name) => names.get(name) ?? name)
}

/** Addresses of Pods. The one that is the start of another is not taken for it. */
function addressesOf(lives: readonly Life[]): Map<string, Life> {
  const addresses = new Map<string, Life>()
  for (const life of lives) {
    for (const { object } of life.changes) {
      if (life.kind === 'Pod' && object.status?.podIP) addresses.set(object.status.podIP, life)
    }
  }
  return addresses
}

/** Names in which no two objects with random names differ. */
export function roughNames(run: Surroundings, lives: readonly Life[]): Rename {
  const names = knownNames(run, lives)
  for (const { name, generateName } of lives) if (generateName) names.set(name, `${generateName}*`)
  for (const address of addressesOf(lives).keys()) names.set(address, 'IP')
  // Random names hold hashes.
  const rename = renaming(names, () => 'UID')
  return (text) => rename(rename(text))
}

/** Names that tell every object from every other, given the number of each that has a random one. */
export function fullNames(
  run: Surroundings,
  lives: readonly Life[],
  numbers: ReadonlyMap<string, number>,
): { readonly rename: Rename; readonly nameOf: (life: Life) => string } {
  const names = knownNames(run, lives)
  for (const { uid, name, generateName } of lives) {
    if (generateName) names.set(name, `${generateName}${numbers.get(uid)}`)
  }
  const plain = renaming(names, (uid) => uid)
  const seen = new Map<string, number>()
  const ids = new Map<string, string>()
  for (const { uid, kind, name } of lives) {
    const id = `${kind}/${plain(plain(name))}`
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    ids.set(uid, count > 1 ? `${id} (${count})` : id)
  }
  for (const [address, { uid }] of addressesOf(lives)) names.set(address, `IP of ${ids.get(uid)}`)
  const rename = renaming(names, (uid) =>
    ids.has(uid) ? `uid of ${ids.get(uid)}` : uid.startsWith('0000') ? uid : 'UID',
  )
  return {
    rename: (text) => rename(rename(text)),
    nameOf: ({ uid, kind, name }) => ids.get(uid) ?? `${kind}/${name}`,
  }
}
