import { isJsonObject } from '@homeostat/api'
import type { ConfigEntry } from './config-entry.ts'

/** A program that prints the credentials of a user: the `exec` of a kubeconfig's user. */
export interface ExecConfig {
  readonly apiVersion: ExecApiVersion
  /** A program on the path, or an absolute file. It is started without a shell. */
  readonly command: string
  readonly args: readonly string[]
  /** Added to this process's own environment. */
  readonly env: Readonly<Record<string, string>>
  /** How to install the program, in the words of the kubeconfig. */
  readonly installHint?: string | undefined
  /** Whether it may ask the person at the terminal. */
  readonly interactiveMode: InteractiveMode
  /** Information about the cluster that is passed to the program, if it asks for it (`provideClusterInfo`). */
  readonly cluster?: object | undefined
  /** The user that the program belongs to, for messages: `user "me" of /home/me/.kube/config`. */
  readonly source: string
}

export type ExecApiVersion = (typeof API_VERSIONS)[number]
export type InteractiveMode = (typeof INTERACTIVE_MODES)[number]

const API_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const
const INTERACTIVE_MODES = ['Never', 'IfAvailable', 'Always'] as const
/** The extension of a cluster whose content is passed to the program. */
const EXTENSION = 'client.authentication.k8s.io/exec'

/** Reads the `exec` of a user. Throws a `ConfigError` that names the entry and what to do. */
export function readExecConfig(
  user: ConfigEntry,
  options: { cluster: ConfigEntry; ca: string | undefined; resolve: (path: string) => string },
): ExecConfig {
  const exec = user.fields['exec']
  if (!isJsonObject(exec)) throw user.invalid('has an exec that is not a mapping', 'Correct the file')
  const text = (field: string): string | undefined => user.checkedText(`exec.${field}`, exec[field])
  const command = text('command')
  if (command === undefined) {
    throw user.invalid('has an exec without a command', 'Name the program that prints the credentials')
  }
  const apiVersion = API_VERSIONS.find((version) => version === text('apiVersion'))
  if (apiVersion === undefined) {
    throw user.invalid(
      `runs ${JSON.stringify(command)} (exec) with the apiVersion ${JSON.stringify(text('apiVersion') ?? '')}`,
      `Set it to ${API_VERSIONS[0]}, and update the program if it supports only older versions`,
    )
  }
  return {
    apiVersion,
    command: /[/\\]/.test(command) ? options.resolve(command) : command,
    args: user.checkedTexts('exec.args', exec['args']),
    env: readEnv(user, exec['env']),
    installHint: text('installHint'),
    interactiveMode: readMode(user, command, apiVersion, text('interactiveMode')),
    cluster: exec['provideClusterInfo'] === true ? clusterInfo(options) : undefined,
    source: user.label,
  }
}

function readMode(
  user: ConfigEntry,
  command: string,
  apiVersion: ExecApiVersion,
  given: string | undefined,
): InteractiveMode {
  if (given === undefined && apiVersion !== API_VERSIONS[0]) return 'IfAvailable'
  const mode = INTERACTIVE_MODES.find((known) => known === given)
  if (mode !== undefined) return mode
  const what = given === undefined ? 'without an interactiveMode' : `with the interactiveMode ${given}`
  throw user.invalid(
    `runs ${JSON.stringify(command)} (exec) ${what}`,
    `Set it to ${INTERACTIVE_MODES.join(', ')}`,
  )
}

function readEnv(user: ConfigEntry, list: unknown): Record<string, string> {
  const env = new Map<string, string>()
  if (list === undefined || list === null) return {}
  if (!Array.isArray(list)) throw user.invalid('has an exec.env that is not a list', 'Correct the file')
  for (const [index, item] of list.entries()) {
    const path = `exec.env[${index}]`
    const name = isJsonObject(item) ? user.checkedText(`${path}.name`, item['name']) : undefined
    if (name === undefined) throw user.invalid(`has an ${path} without a name`, 'Correct the file')
    env.set(name, user.checkedText(`${path}.value`, (item as Record<string, unknown>)['value']) ?? '')
  }
  return Object.fromEntries(env)
}

/** The cluster as `KUBERNETES_EXEC_INFO` describes it: the names of a kubeconfig, with the CA inline. */
function clusterInfo({ cluster, ca }: { cluster: ConfigEntry; ca: string | undefined }): object {
  const extensions = cluster.fields['extensions']
  const own = Array.isArray(extensions)
    ? (extensions.find((item) => isJsonObject(item) && item['name'] === EXTENSION) as { extension?: unknown })
    : undefined
  return {
    server: cluster.text('server'),
    'tls-server-name': cluster.text('tls-server-name'),
    'insecure-skip-tls-verify': cluster.fields['insecure-skip-tls-verify'] === true || undefined,
    'certificate-authority-data': ca && toBase64(ca),
    'proxy-url': cluster.text('proxy-url'),
    config: own?.extension,
  }
}

function toBase64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
}
