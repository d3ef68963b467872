import { checkOptionNames, optionNames } from '@homeostat/api'
import type { ClusterConfig } from './cluster-config.ts'
import { ConfigError } from './config-error.ts'
import { environmentProxy } from './environment-proxy.ts'
import { mergeKubeconfigs, parseKubeconfig, type Kubeconfig } from './kubeconfig.ts'
import { nodeModules } from '../process/index.ts'
import { checkedProxy } from './proxy-address.ts'
import { selectContext } from './select-context.ts'

export interface LoadConfigOptions {
  /** A kubeconfig file; if given, no other place is searched. */
  kubeconfig?: string | undefined
  /** Default: the file's current context. */
  context?: string | undefined
  /** Default: the process's environment. */
  env?: Readonly<Record<string, string | undefined>> | undefined
  /** Default: the user's home. */
  home?: string | undefined
  /** Where a Pod finds its token, CA and namespace. Default: where Kubernetes mounts them. */
  serviceAccount?: string | undefined
}

const LOAD_CONFIG_OPTIONS = optionNames<LoadConfigOptions>('loadConfig', {
  kubeconfig: true,
  context: true,
  env: true,
  home: true,
  serviceAccount: true,
})

/**
 * Finds how to reach the cluster, from the first of these that exists: the given file, the files that `KUBECONFIG`
 * names, the ServiceAccount of the Pod, `~/.kube/config`. Throws a `ConfigError` that says what is missing and
 * where `loadConfig` searched. A proxy that the environment names (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`) is used
 * where the kubeconfig names none.
 */
export function loadConfig(options: LoadConfigOptions = {}): ClusterConfig {
  checkOptionNames(options, LOAD_CONFIG_OPTIONS)
  const env = options.env ?? process.env
  const config = findConfig(options, env)
  const proxy = config.proxy ?? environmentProxy(config.server, env)
  return proxy === undefined
    ? config
    : { ...config, proxy: checkedProxy(proxy, 'the proxy that the environment names') }
}

function findConfig(
  options: LoadConfigOptions,
  env: Readonly<Record<string, string | undefined>>,
): ClusterConfig {
  if (options.kubeconfig) return fromFiles([options.kubeconfig], options.context)

  const listed = (env['KUBECONFIG'] ?? '').split(nodeModules.path.delimiter).filter((path) => path !== '')
  if (listed.length > 0) return fromFiles(listed, options.context)

  const inCluster = fromPod(env, options.serviceAccount ?? '/var/run/secrets/kubernetes.io/serviceaccount')
  if (inCluster) return inCluster

  const standard = nodeModules.path.join(options.home ?? nodeModules.os.homedir(), '.kube', 'config')
  if (readIfThere(standard) === undefined) {
    throw new ConfigError(
      'CONFIG_NOT_FOUND',
      `no cluster is configured: KUBECONFIG is not set, this process does not run in a Pod (KUBERNETES_SERVICE_HOST is not set), and ${standard} does not exist. Set KUBECONFIG to the kubeconfig file of your cluster.`,
    )
  }
  return fromFiles([standard], options.context)
}

/** As with kubectl, some of several files may be missing, as long as one exists. */
function fromFiles(files: readonly string[], context: string | undefined): ClusterConfig {
  const configs: Kubeconfig[] = []
  for (const file of files) {
    const text = readIfThere(file)
    if (text !== undefined) configs.push(parseKubeconfig(text, file))
  }
  if (configs.length === 0) {
    const verb = files.length === 1 ? 'does' : 'do'
    throw new ConfigError(
      'CONFIG_FILE_MISSING',
      `the kubeconfig ${files.join(', ')} ${verb} not exist. Check the path (the option, or KUBECONFIG), or create the cluster first.`,
    )
  }
  return selectContext(mergeKubeconfigs(configs), {
    context,
    resolve: resolveBeside,
    read: (path, entry) => {
      const absolute = resolveBeside(path, entry.file)
      const text = readIfThere(absolute)
      if (text !== undefined) return text
      throw new ConfigError(
        'CONFIG_FILE_MISSING',
        `${entry.file}: the file ${absolute} (${entry.what}) does not exist. Correct the path, or fetch the kubeconfig again.`,
      )
    },
  })
}

function fromPod(
  env: Readonly<Record<string, string | undefined>>,
  directory: string,
): ClusterConfig | undefined {
  const host = env['KUBERNETES_SERVICE_HOST']
  const port = env['KUBERNETES_SERVICE_PORT']
  if (!host || !port) return undefined
  const { path } = nodeModules
  const tokenFile = path.join(directory, 'token')
  if (readIfThere(tokenFile) === undefined) {
    throw new ConfigError(
      'CONFIG_FILE_MISSING',
      `this Pod has no ServiceAccount token: ${tokenFile} does not exist. Give the Pod a serviceAccountName and do not turn off automountServiceAccountToken, or set KUBECONFIG.`,
    )
  }
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tls: { ca: readIfThere(path.join(directory, 'ca.crt')) },
    tokenFile,
    namespace: readIfThere(path.join(directory, 'namespace'))?.trim() || 'default',
    source: `the ServiceAccount of this Pod (${directory})`,
  }
}

function resolveBeside(path: string, entryFile: string): string {
  const paths = nodeModules.path
  return paths.isAbsolute(path) ? path : paths.resolve(paths.dirname(entryFile), path)
}

function readIfThere(path: string): string | undefined {
  try {
    return nodeModules.fs.readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    const why = code === 'EACCES' ? 'this user may not read it' : `${code}`
    throw new ConfigError(
      'CONFIG_FILE_UNREADABLE',
      `${path} cannot be read: ${why}. Correct its permissions, or name another file.`,
      { cause },
    )
  }
}
