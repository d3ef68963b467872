import { copyTree, setKey, type TreeObject } from './json-tree.ts'
import type { FuzzedKind } from './seeds.ts'

/** An object that stands on both servers while a run lasts, so that updates of it can be tried. */
export interface StandingObject {
  readonly path: string
  /** The object that was created. */
  readonly object: TreeObject
}

/** Kinds whose objects would change what a server answers to other requests. */
const NEVER_STORED = /apiservices|reviews|bindings$|componentstatuses/
/** Fields that keep objects of some kinds from having an effect while they exist. */
const HARMLESS: Readonly<Record<string, object>> = {
  ValidatingWebhookConfiguration: { webhooks: [] },
  MutatingWebhookConfiguration: { webhooks: [] },
}
/** The network of ServiceCIDRs, and one in the servers' own range: the real server gives Services addresses of every network. */
const NETWORK = /192\.0\.2\.0(?=\/)/
const OWN_NETWORK = '10.96.200.0'
/** Objects that are defaults for others, whose names follow from chance, or that a controller changes. */
const UNUSABLE = /"globalDefault":true|is-default-class|generateName|"aggregationRule"/
const KEPT_NAME = /customresourcedefinitions/
const PER_KIND = 6

/** The objects that a run makes before its first case. */
export function standingObjects(kinds: readonly FuzzedKind[]): StandingObject[] {
  return kinds.flatMap((kind) => {
    if (NEVER_STORED.test(kind.path) || !kind.verbs.includes('create') || !kind.verbs.includes('update'))
      return []
    const usable = kind.seeds.filter((seed) => !UNUSABLE.test(JSON.stringify(seed)))
    const step = Math.max(1, Math.floor(usable.length / PER_KIND))
    const keepsName = KEPT_NAME.test(kind.path)
    return usable
      .filter((_, index) => index % step === 0)
      .slice(0, keepsName ? 1 : PER_KIND)
      .map((seed, index) => {
        const object: TreeObject = { ...copyTree(seed), ...HARMLESS[String(seed['kind'])] }
        const metadata = { ...(object['metadata'] as TreeObject) }
        const name = keepsName ? String(metadata['name']) : nameFor(kind, `standing-${index}`, index)
        setKey(metadata, 'name', name)
        delete metadata['namespace']
        setKey(object, 'metadata', metadata)
        const { cidrs } = (object['spec'] ?? {}) as { cidrs?: string[] }
        if (cidrs) setKey(object, 'spec', { cidrs: cidrs.map((cidr) => cidr.replace(NETWORK, OWN_NETWORK)) })
        return { path: `${kind.path}/${name}`, object }
      })
  })
}

/** A name for an object. IPAddresses are called by an address; Services get none of these, which are for benchmarks. */
export function nameFor(kind: FuzzedKind, name: string, number: number): string {
  return kind.path.endsWith('/ipaddresses') ? `198.18.${(number >> 8) & 255}.${number & 255}` : name
}

/** Kinds of which a case may leave an object for the time that it takes. */
export function mayBeStored(kind: FuzzedKind): boolean {
  return (
    kind.verbs.includes('create') &&
    kind.verbs.includes('delete') &&
    !NEVER_STORED.test(kind.path) &&
    !/webhook|admissionpolic|servicecidrs|namespaces$|flowschemas|prioritylevel|classes$|customresourcedefinitions|resourcequotas|limitranges/.test(
      kind.path,
    )
  )
}
