import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import { isObject, listOf, objectOf, type JsonObject } from '../schema/index.ts'
import { decodeYaml, yamlLibrary } from '../wire/index.ts'

/** A service that is called over HTTPS. */
export interface RemoteService {
  readonly url: string
  /** The authorities of its certificate, in PEM. Undefined for those of the machine. */
  readonly ca: string | undefined
  /** The certificate by which this server logs in, and its key, in PEM. */
  readonly certificate: string | undefined
  readonly key: string | undefined
  /** The name that its certificate must be for. Undefined for that of the URL. */
  readonly serverName: string | undefined
  /** Whether any certificate is accepted. */
  readonly isInsecure: boolean
  /** The header by which this server logs in. */
  readonly authorization: string | undefined
}

/** The fields of a cluster or a user in a kubeconfig that this server does not support. */
const UNSUPPORTED = ['proxy-url', 'exec', 'auth-provider', 'as', 'as-uid', 'as-groups', 'as-user-extra']

/**
 * Reads the kubeconfig of a webhook: its current context names the service and the credentials of this server. `option` is the
 * option that named the file. Fails with `WEBHOOK_KUBECONFIG_INVALID`, and a message with the file and the field.
 */
export async function readKubeconfig(option: string, file: string): Promise<RemoteService> {
  const problem = (why: string): HomeostatError =>
    new HomeostatError('WEBHOOK_KUBECONFIG_INVALID', `${option}: ${file}: ${why}`)
  await yamlLibrary.load()
  const configuration = parsed(textOf(file, problem), problem)
  const named = (list: string, part: string, name: unknown): JsonObject => {
    const found = listOf(configuration[list])
      .map(objectOf)
      .find((one) => one['name'] === name)
    if (!found) throw problem(`${list}: has no entry with the name ${JSON.stringify(name)}`)
    const value = objectOf(found[part])
    for (const field of UNSUPPORTED) {
      if (value[field] === undefined) continue
      throw problem(`${list}[${JSON.stringify(name)}].${part}.${field}: is not supported; leave it out`)
    }
    return value
  }
  const current = configuration['current-context']
  if (typeof current !== 'string' || current === '') {
    throw problem('current-context: is missing; name a context, which names the cluster to call')
  }
  const context = named('contexts', 'context', current)
  const cluster = named('clusters', 'cluster', context['cluster'])
  const user = context['user'] ? named('users', 'user', context['user']) : {}
  const content = (from: JsonObject, field: string): string | undefined => {
    const data = from[`${field}-data`]
    if (typeof data === 'string' && data !== '') return Buffer.from(data, 'base64').toString()
    const path = from[field]
    return typeof path === 'string' && path !== ''
      ? textOf(resolve(dirname(file), path), (why) => problem(`${field}: ${why}`))
      : undefined
  }
  const { server } = cluster
  if (typeof server !== 'string' || !URL.canParse(server) || new URL(server).protocol !== 'https:') {
    throw problem('clusters: the cluster of the current context needs a server that begins with https://')
  }
  const [certificate, key] = [content(user, 'client-certificate'), content(user, 'client-key')]
  if ((certificate === undefined) !== (key === undefined)) {
    throw problem('users: client-certificate and client-key must be given together')
  }
  return {
    url: server,
    ca: content(cluster, 'certificate-authority'),
    certificate,
    key,
    serverName: typeof cluster['tls-server-name'] === 'string' ? cluster['tls-server-name'] : undefined,
    isInsecure: cluster['insecure-skip-tls-verify'] === true,
    authorization: authorizationOf(user, content(user, 'tokenFile')),
  }
}

function authorizationOf(
  { token, username, password }: JsonObject,
  fileToken: string | undefined,
): string | undefined {
  const bearer = fileToken?.trim() ?? token
  if (typeof bearer === 'string' && bearer !== '') return `Bearer ${bearer}`
  if (typeof username !== 'string' || username === '') return undefined
  const text = `${username}:${typeof password === 'string' ? password : ''}`
  return `Basic ${Buffer.from(text).toString('base64')}`
}

function textOf(path: string, problem: (why: string) => HomeostatError): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/, open .*$/s, '') : String(cause)
    throw problem(`${path} cannot be read: ${why}. Give the path of a readable file`)
  }
}

/** The message of the parser is left out: it quotes the file, which may hold keys. */
function parsed(text: string, problem: (why: string) => HomeostatError): JsonObject {
  try {
    const { value } = decodeYaml(new TextEncoder().encode(text))
    if (isObject(value)) return value
  } catch {
    throw problem('is not YAML')
  }
  throw problem('is not a kubeconfig')
}
