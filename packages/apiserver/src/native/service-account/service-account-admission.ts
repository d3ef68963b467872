import type { AdmissionPlugin } from '../../admission/index.ts'
import { generateName, type Registry, type ServerObject, specOf, storedObject } from '../../registry/index.ts'
import { type JsonObject, listOf, objectOf, quote, textOf } from '../../schema/index.ts'
import { mirrorProblem, unlistedSecret } from './pod-secrets.ts'

const VOLUME = 'kube-api-access-'
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount'
const MIRROR = 'kubernetes.io/config.mirror'
const ENFORCED = 'kubernetes.io/enforce-mountable-secrets'
/** The texts that Go reads as true. */
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

/**
 * Gives every Pod a ServiceAccount, which must exist, a volume with its token, and its Secrets for pulling images.
 */
export function serviceAccountAdmission(registry: Registry): AdmissionPlugin {
  return {
    resources: ['/pods'],
    changes: ['CREATE'],
    admit({ operation, object, namespace = '', subresource, refuse }) {
      if (operation !== 'CREATE' || !object || subresource !== undefined) return
      if (isMirror(object)) {
        const problem = mirrorProblem(object)
        return problem === undefined ? undefined : refuse(problem)
      }
      const name = textOf(specOf(object)['serviceAccountName']) || 'default'
      const stored = registry.store.get('/serviceaccounts', `${namespace}/${name}`)
      const account = stored && storedObject(stored)
      if (!account) {
        return refuse(
          `error looking up service account ${namespace}/${name}: serviceaccount ${quote(name)} not found`,
        )
      }
      const spec: JsonObject = specOf(object)
      Object.assign(spec, { serviceAccountName: name, serviceAccount: name })
      const secrets = listOf(account['imagePullSecrets'])
      if (listOf(spec['imagePullSecrets']).length === 0 && secrets.length > 0) {
        spec['imagePullSecrets'] = secrets.map((secret) => ({ name: objectOf(secret)['name'] }))
      }
      const mounts = spec['automountServiceAccountToken'] ?? account['automountServiceAccountToken'] ?? true
      object['spec'] = mounts === true ? withToken(spec, registry) : spec
      const problem = secretProblem(registry, namespace, object, false)
      if (problem !== undefined) refuse(problem)
    },
    validate({ operation, object, namespace = '', subresource, refuse }) {
      if (!object) return
      const debugs = operation === 'UPDATE' && subresource === 'ephemeralcontainers'
      if (!debugs && (operation !== 'CREATE' || subresource !== undefined)) return
      const problem =
        isMirror(object) && !debugs
          ? mirrorProblem(object)
          : secretProblem(registry, namespace, object, debugs)
      if (problem !== undefined) refuse(problem)
    },
  }
}

/** Whether the object is a mirror Pod, by which a kubelet shows a static Pod. */
function isMirror({ metadata }: ServerObject): boolean {
  return metadata.annotations?.[MIRROR] !== undefined
}

/** Why the Secrets of a Pod are refused, where its ServiceAccount lists those that its Pods may use. */
function secretProblem(
  registry: Registry,
  namespace: string,
  pod: ServerObject,
  debugs: boolean,
): string | undefined {
  const name = textOf(specOf(pod)['serviceAccountName'])
  const stored = registry.store.get('/serviceaccounts', `${namespace}/${name}`)
  const account = stored && storedObject(stored)
  if (!account || !TRUE.has(account.metadata.annotations?.[ENFORCED] ?? '')) return undefined
  return unlistedSecret(specOf(pod), account, debugs)
}

function withToken(spec: JsonObject, registry: Registry): JsonObject {
  const volumes = listOf(spec['volumes'])
  const known = volumes
    .map((volume) => textOf(objectOf(volume)['name']))
    .find((one) => one.startsWith(VOLUME))
  const name = known ?? generateName(VOLUME, registry.clock)
  let needed = false
  const mounted = (container: unknown): unknown => {
    const mounts = listOf(objectOf(container)['volumeMounts'])
    if (mounts.some((mount) => objectOf(mount)['mountPath'] === MOUNT_PATH)) return container
    needed = true
    return {
      ...objectOf(container),
      volumeMounts: [...mounts, { name, readOnly: true, mountPath: MOUNT_PATH }],
    }
  }
  const changed: JsonObject = { ...spec }
  for (const field of ['initContainers', 'containers']) {
    if (spec[field] !== undefined) changed[field] = listOf(spec[field]).map(mounted)
  }
  if (needed && known === undefined) changed['volumes'] = [...volumes, { name, projected: tokenVolume() }]
  return changed
}

function tokenVolume(): JsonObject {
  const namespace = { apiVersion: 'v1', fieldPath: 'metadata.namespace' }
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: namespace }] } },
    ],
    defaultMode: 0o644,
  }
}
