import type { TLSSocket } from 'node:tls'
import { checkOptionNames, optionNames, type ApiRequest } from '@homeostat/api'
import { authenticated, HEADER_SEPARATOR, type User } from '../auth/index.ts'
import type { ClientCertificates } from './client-certificate.ts'

/** A proxy that has authenticated the user of a request, and names them in headers. */
export interface FrontProxyOptions {
  /** The authorities, in PEM, one of which must have signed the client certificate of the proxy. */
  readonly authorities: string
  /** The common names that its certificate may have. Default: any. */
  readonly allowedNames?: readonly string[] | undefined
  /** The headers with the user's name; the first that is not empty counts. Default: no header, so that the proxy can name no user. */
  readonly usernameHeaders?: readonly string[] | undefined
  readonly uidHeaders?: readonly string[] | undefined
  readonly groupHeaders?: readonly string[] | undefined
  /** The prefixes of headers with further attributes of the user. */
  readonly extraHeaderPrefixes?: readonly string[] | undefined
}

const OPTIONS = optionNames<FrontProxyOptions>('ApiServer.listen, frontProxy', {
  authorities: true,
  allowedNames: true,
  usernameHeaders: true,
  uidHeaders: true,
  groupHeaders: true,
  extraHeaderPrefixes: true,
})

/** Finds the users whom a front proxy names. It ignores such headers of other clients. */
export class FrontProxy {
  readonly #certificates: ClientCertificates
  readonly #allowedNames: ReadonlySet<string>
  readonly #names: readonly string[]
  readonly #uids: readonly string[]
  readonly #groups: readonly string[]
  readonly #prefixes: readonly string[]

  /** `certificates` accepts those of the authorities of the proxy alone. */
  constructor(options: FrontProxyOptions, certificates: ClientCertificates) {
    checkOptionNames(options, OPTIONS)
    const lower = (names: readonly string[] = []): string[] => names.map((name) => name.toLowerCase())
    this.#certificates = certificates
    this.#allowedNames = new Set(options.allowedNames)
    this.#names = lower(options.usernameHeaders)
    this.#uids = lower(options.uidHeaders)
    this.#groups = lower(options.groupHeaders)
    this.#prefixes = lower(options.extraHeaderPrefixes)
  }

  /** Whether a header, in lower case, may come several times. */
  readonly isRepeated = (header: string): boolean =>
    this.#names.includes(header) ||
    this.#uids.includes(header) ||
    this.#groups.includes(header) ||
    this.#prefixes.some((prefix) => header.startsWith(prefix))

  /** The user whom the proxy names; undefined where the client is not a proxy, or names no user. */
  userOf(socket: TLSSocket, { headers }: ApiRequest): User | undefined {
    const proxy = this.#certificates.userOf(socket)
    if (!proxy || proxy === 'invalid') return undefined
    if (this.#allowedNames.size > 0 && !this.#allowedNames.has(proxy.name)) return undefined
    const name = firstOf(headers, this.#names)
    if (name === '') return undefined
    const groups = this.#groups.flatMap((header) => valuesOf(headers, header)).filter(Boolean)
    const attributes = new Map<string, readonly string[]>()
    for (const prefix of this.#prefixes) {
      for (const header of Object.keys(headers).filter((one) => one.startsWith(prefix))) {
        const key = decoded(header.slice(prefix.length))
        attributes.set(key, [...(attributes.get(key) ?? []), ...valuesOf(headers, header)])
      }
    }
    const extra = Object.fromEntries([...attributes].sort(([a], [b]) => (a < b ? -1 : 1)))
    return authenticated({ name, uid: firstOf(headers, this.#uids) || undefined, groups, extra })
  }

  /** The request without the headers that name its user, which are not passed on. */
  withoutNames<T extends ApiRequest>(request: T): T {
    const kept = Object.entries(request.headers).filter(([header]) => !this.isRepeated(header))
    return { ...request, headers: Object.fromEntries(kept) }
  }
}

function valuesOf(headers: Readonly<Record<string, string>>, header: string): string[] {
  return Object.hasOwn(headers, header) ? (headers[header] ?? '').split(HEADER_SEPARATOR) : []
}

function firstOf(headers: Readonly<Record<string, string>>, names: readonly string[]): string {
  return names.map((name) => valuesOf(headers, name)[0] ?? '').find((value) => value !== '') ?? ''
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}
