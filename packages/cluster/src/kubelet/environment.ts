import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import { PodProblem } from './pod-problem.ts'
import type { ConfigReader } from './volumes/volume-files.ts'

/** What a container may learn of its Pod before the API shows it. */
export interface PodFacts {
  readonly podIP: string
  readonly hostIP: string
}

type Variables = Record<string, string>

/**
 * The environment that a container declares: `envFrom` first, then `env`, each variable able to refer to
 * those before it. What is missing and not optional throws a {@link PodProblem} in the words of a node.
 */
export async function resolveEnvironment(
  pod: Pod,
  container: DeepReadonly<CoreV1.Container>,
  facts: PodFacts,
  reader: ConfigReader,
): Promise<Variables> {
  // Any name may come, also that of something that objects inherit.
  const variables = Object.create(null) as Variables
  for (const source of container.envFrom ?? []) {
    const values = await valuesFrom(source, reader)
    for (const [key, value] of Object.entries(values)) variables[`${source.prefix ?? ''}${key}`] = value
  }
  for (const entry of container.env ?? []) {
    const value = entry.valueFrom
      ? await valueFrom(entry.valueFrom, pod, facts, reader)
      : expand(entry.value ?? '', variables)
    if (value !== undefined) variables[entry.name] = value
  }
  return variables
}

/** Replaces `$(NAME)` by the variable, leaves what is not known, and takes `$$` for one `$`. */
export function expand(text: string, variables: Readonly<Variables>): string {
  return text.replace(/\$(?:\$|\(([^()]*)\))/g, (whole, name: string | undefined) => {
    if (name === undefined) return '$'
    return Object.hasOwn(variables, name) ? (variables[name] ?? '') : whole
  })
}

async function valuesFrom(
  source: DeepReadonly<CoreV1.EnvFromSource>,
  reader: ConfigReader,
): Promise<Readonly<Variables>> {
  if (source.configMapRef) {
    const name = source.configMapRef.name ?? ''
    const configMap = await reader.configMap(name)
    if (!configMap && !source.configMapRef.optional) throw notFound('configmap', name)
    return configMap?.data ?? {}
  }
  if (source.secretRef) {
    const name = source.secretRef.name ?? ''
    const secret = await reader.secret(name)
    if (!secret && !source.secretRef.optional) throw notFound('secret', name)
    return Object.fromEntries(Object.entries(secret?.data ?? {}).map(([key, data]) => [key, decode(data)]))
  }
  return {}
}

async function valueFrom(
  source: DeepReadonly<CoreV1.EnvVarSource>,
  pod: Pod,
  facts: PodFacts,
  reader: ConfigReader,
): Promise<string | undefined> {
  if (source.fieldRef) return fieldOf(pod, source.fieldRef.fieldPath, facts)
  if (source.configMapKeyRef) {
    const { name = '', key, optional } = source.configMapKeyRef
    const configMap = await reader.configMap(name)
    const value = ownValue(configMap?.data, key)
    if (value !== undefined || optional) return value
    throw configMap ? noKey(key, 'ConfigMap', pod, name) : notFound('configmap', name)
  }
  if (source.secretKeyRef) {
    const { name = '', key, optional } = source.secretKeyRef
    const secret = await reader.secret(name)
    const data = ownValue(secret?.data, key)
    if (data !== undefined || optional) return data === undefined ? undefined : decode(data)
    throw secret ? noKey(key, 'Secret', pod, name) : notFound('secret', name)
  }
  throw new PodProblem(`a variable from ${Object.keys(source).join(', ') || 'nothing'} is not supported`)
}

function ownValue(values: Readonly<Variables> | undefined, key: string): string | undefined {
  return values && Object.hasOwn(values, key) ? values[key] : undefined
}

/** The fields that the downward API has. */
function fieldOf(pod: Pod, path: string, facts: PodFacts): string {
  const entry = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(path)
  if (entry) return ownValue(pod.metadata[entry[1] as 'labels' | 'annotations'], entry[2] ?? '') ?? ''
  switch (path) {
    case 'metadata.name':
      return pod.metadata.name
    case 'metadata.namespace':
      return pod.metadata.namespace
    case 'metadata.uid':
      return pod.metadata.uid
    case 'spec.nodeName':
      return pod.spec.nodeName ?? ''
    case 'spec.serviceAccountName':
      return pod.spec.serviceAccountName ?? ''
    case 'status.podIP':
    case 'status.podIPs':
      return facts.podIP
    case 'status.hostIP':
    case 'status.hostIPs':
      return facts.hostIP
    default:
      throw new PodProblem(`unsupported fieldPath: ${path}`)
  }
}

function decode(data: string): string {
  return Buffer.from(data, 'base64').toString('utf8')
}

function notFound(kind: string, name: string): PodProblem {
  return new PodProblem(`${kind} ${JSON.stringify(name)} not found`)
}

function noKey(key: string, kind: string, pod: Pod, name: string): PodProblem {
  return new PodProblem(`couldn't find key ${key} in ${kind} ${pod.metadata.namespace}/${name}`)
}
