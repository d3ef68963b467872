import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import { fieldValue, resourceValue, type PodFacts } from './downward.ts'
import { PodProblem } from './pod-problem.ts'
import type { PodSources } from './pod-sources.ts'

type Variables = Record<string, string>
type Sources = Pick<PodSources, 'configMap' | 'secret'>

/**
 * The environment that a container declares: `envFrom` first, then `env`. A variable may refer to variables before it and to
 * those in `given`. Throws a {@link PodProblem}, in the words of a node, if a source is missing that is not optional.
 */
export async function resolveEnvironment(
  pod: Pod,
  container: DeepReadonly<CoreV1.Container>,
  facts: PodFacts,
  sources: Sources,
  given: Readonly<Variables> = {},
): Promise<Variables> {
  // A name may also be that of a property that every object inherits.
  const declared = Object.create(null) as Variables
  for (const source of container.envFrom ?? []) {
    const values = await valuesFrom(source, sources)
    for (const [key, value] of Object.entries(values)) declared[`${source.prefix ?? ''}${key}`] = value
  }
  for (const entry of container.env ?? []) {
    const value = entry.valueFrom
      ? await valueFrom(entry.valueFrom, pod, container, facts, sources)
      : expand(entry.value ?? '', declared, given)
    if (value !== undefined) declared[entry.name] = value
  }
  return declared
}

/** Replaces `$(NAME)` by the variable of the first source that has it. Unknown names stay as they are; `$$` becomes `$`. */
export function expand(text: string, ...variables: readonly Readonly<Variables>[]): string {
  return text.replace(/\$(?:\$|\(([^()]*)\))/g, (whole, name: string | undefined) => {
    if (name === undefined) return '$'
    const known = variables.find((values) => Object.hasOwn(values, name))
    return known ? (known[name] ?? '') : whole
  })
}

async function valuesFrom(
  source: DeepReadonly<CoreV1.EnvFromSource>,
  sources: Sources,
): Promise<Readonly<Variables>> {
  if (source.configMapRef) {
    const name = source.configMapRef.name ?? ''
    const configMap = await sources.configMap(name)
    if (!configMap && !source.configMapRef.optional) throw notFound('configmap', name)
    return configMap?.data ?? {}
  }
  if (source.secretRef) {
    const name = source.secretRef.name ?? ''
    const secret = await sources.secret(name)
    if (!secret && !source.secretRef.optional) throw notFound('secret', name)
    return Object.fromEntries(Object.entries(secret?.data ?? {}).map(([key, data]) => [key, decode(data)]))
  }
  return {}
}

async function valueFrom(
  source: DeepReadonly<CoreV1.EnvVarSource>,
  pod: Pod,
  container: DeepReadonly<CoreV1.Container>,
  facts: PodFacts,
  sources: Sources,
): Promise<string | undefined> {
  if (source.fieldRef) return fieldValue(pod, source.fieldRef.fieldPath, facts)
  if (source.resourceFieldRef) return resourceValue(pod, source.resourceFieldRef, container.name, facts)
  if (source.configMapKeyRef) {
    const { name = '', key, optional } = source.configMapKeyRef
    const configMap = await sources.configMap(name)
    const value = ownValue(configMap?.data, key)
    if (value !== undefined || optional) return value
    throw configMap ? noKey(key, 'ConfigMap', pod, name) : notFound('configmap', name)
  }
  if (source.secretKeyRef) {
    const { name = '', key, optional } = source.secretKeyRef
    const secret = await sources.secret(name)
    const data = ownValue(secret?.data, key)
    if (data !== undefined || optional) return data === undefined ? undefined : decode(data)
    throw secret ? noKey(key, 'Secret', pod, name) : notFound('secret', name)
  }
  throw new PodProblem(`a variable from ${Object.keys(source).join(', ') || 'nothing'} is not supported`)
}

function ownValue(values: Readonly<Variables> | undefined, key: string): string | undefined {
  return values && Object.hasOwn(values, key) ? values[key] : undefined
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
