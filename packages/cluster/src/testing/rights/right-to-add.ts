import type { AnyKind, ApiRequest, OwnerReference, Status } from '@homeostat/api'
import type { WriteVerb } from 'homeostat'

/** A right that a request needed, as a controller or a runnable declares it. */
export interface RightToAdd {
  /** The call of a controller's builder. */
  readonly line: string
  /** The same for a runnable, as an entry of its `access`; undefined where a kind and a verb cannot say it. */
  readonly access?: string | undefined
}

/** The name under which a program imports a kind; undefined for kinds that only a server knows. */
export type KindNames = (group: string, plural: string) => string | undefined

const DENIED = /User "[^"]*" cannot (\w+) resource "([^"/]+)(?:\/([^"]+))?" in API group "([^"]*)"/
const OWNER_FINALIZERS = "refers to a resource you can't set finalizers on"
const OWNER_DELETE = "cannot set an ownerRef on a resource you can't delete"
const ESCALATION = 'is attempting to grant RBAC permissions not currently held'
const SIGNER = /user not permitted to (approve|sign) requests with signerName "([^"]*)"/

const METHODS: ReadonlyMap<string, WriteVerb> = new Map(
  Object.entries<WriteVerb>({
    create: 'create',
    update: 'update',
    patch: 'patch',
    delete: 'delete',
    deletecollection: 'deleteAllOf',
  }),
)
/** The parts of objects that `WriteVerb` names. */
const PARTS = new Set([
  'status',
  'scale',
  'approval',
  'binding',
  'ephemeralcontainers',
  'eviction',
  'finalize',
  'finalizers',
  'log',
  'resize',
  'token',
])

/**
 * Which declaration was missing when the server refused a request with 403; undefined where it refused for a reason
 * that no right changes, such as a namespace that is being deleted.
 */
export function rightToAdd(request: ApiRequest, status: Status, names: KindNames): RightToAdd | undefined {
  const { message = '', details } = status
  const [group = '', plural = ''] = [details?.group, details?.kind]
  const denied = DENIED.exec(message)
  if (denied) {
    const [, verb = '', resource = '', part, deniedGroup = ''] = denied
    return missingVerb(request, { group: deniedGroup, resource, part, verb }, names)
  }
  const kind = names(group, plural) ?? plural
  if (message.includes(OWNER_FINALIZERS)) return ownerFinalizers(request, kind)
  if (message.includes(OWNER_DELETE)) return declared(kind, 'delete')
  if (message.includes(ESCALATION)) {
    if (plural === 'roles' || plural === 'clusterroles') return declared(kind, 'escalate')
    return declared(roleKindOf(request), 'bind')
  }
  const signer = SIGNER.exec(message)
  if (!signer) return undefined
  const [, verb = '', name = ''] = signer
  return rule({ group: 'certificates.k8s.io', resource: 'signers', verb, name })
}

interface Denied {
  readonly group: string
  readonly resource: string
  readonly part?: string | undefined
  readonly verb: string
  readonly name?: string | undefined
}

function missingVerb(request: ApiRequest, denied: Denied, names: KindNames): RightToAdd {
  const { group, resource, part, verb } = denied
  const kind = names(group, resource)
  const isApply = request.headers['content-type']?.startsWith('application/apply-patch') ?? false
  if (kind === undefined) return rule(denied)
  if (part !== undefined) {
    const method = isApply && verb === 'patch' ? 'apply' : verb
    return PARTS.has(part) ? declared(kind, `${part}.${method}`) : rule(denied)
  }
  if (verb === 'get' || verb === 'list' || verb === 'watch') {
    return { line: `.reads(${kind})`, access: accessOf(kind, 'read') }
  }
  if (isApply) return declared(kind, 'apply')
  const method = METHODS.get(verb)
  if (method === undefined) return rule(denied)
  if (method !== 'patch' || !changesFinalizersAlone(request)) return declared(kind, method)
  return {
    line: `.uses(finalizers), where a FinalizerRegistry sends it, or .writes(${kind}, 'patch')`,
    access: accessOf(kind, 'patch'),
  }
}

/** The owner that a new reference blocks, and what lets the operator set it. */
function ownerFinalizers(request: ApiRequest, kind: string): RightToAdd {
  const body = bodyOf(request) as { metadata?: { ownerReferences?: readonly OwnerReference[] } } | undefined
  const owner = body?.metadata?.ownerReferences?.find(({ blockOwnerDeletion }) => blockOwnerDeletion)
  const ownerKind = owner?.kind ?? 'Owner'
  return {
    line: `.owns(${kind}), or .writes(${ownerKind}, 'finalizers.update')`,
    access: accessOf(ownerKind, 'finalizers.update'),
  }
}

function roleKindOf(request: ApiRequest): string {
  const body = bodyOf(request) as { roleRef?: { kind?: string } } | undefined
  return body?.roleRef?.kind ?? 'ClusterRole'
}

/** Whether a patch is what `FinalizerRegistry` sends. */
function changesFinalizersAlone(request: ApiRequest): boolean {
  const body = bodyOf(request) as { metadata?: object } | undefined
  if (!body?.metadata || Object.keys(body).length !== 1) return false
  const fields = Object.keys(body.metadata)
  return (
    fields.includes('finalizers') && fields.every((field) => /^(finalizers|resourceVersion)$/.test(field))
  )
}

function bodyOf({ body }: ApiRequest): unknown {
  try {
    return body && JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

function declared(kind: string, verb: string): RightToAdd {
  return { line: `.writes(${kind}, '${verb}')`, access: accessOf(kind, verb) }
}

function accessOf(kind: string, verb: string): string {
  return `access: [{ kind: ${kind}, verbs: ['${verb}'] }]`
}

/** A right in RBAC's own words. */
function rule({ group, resource, part, verb, name }: Denied): RightToAdd {
  const names = name === undefined ? '' : `resourceNames: ['${name}'], `
  const path = part === undefined ? resource : `${resource}/${part}`
  const text = `{ apiGroups: ['${group}'], resources: ['${path}'], ${names}verbs: ['${verb}'] }`
  return { line: `.rules(${text})`, access: `rules: [${text}]` }
}

/** The names of the kinds given, of the native ones, and of their metadata alone. */
export async function kindNames(kinds: readonly AnyKind[]): Promise<KindNames> {
  const names = new Map<string, string>()
  const native: Readonly<Record<string, unknown>> = await import('@homeostat/api/kinds')
  for (const [name, value] of Object.entries(native)) {
    if (isKind(value) && !names.has(id(value))) names.set(id(value), name)
  }
  for (const kind of kinds) if (!names.has(id(kind))) names.set(id(kind), kind.kind)
  return (group, plural) => names.get(`${group}/${plural}`)
}

function id({ group, plural }: Pick<AnyKind, 'group' | 'plural'>): string {
  return `${group}/${plural}`
}

function isKind(value: unknown): value is AnyKind {
  return typeof value === 'object' && value !== null && 'plural' in value && 'group' in value
}
