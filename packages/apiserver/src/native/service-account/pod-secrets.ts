import { objectsIn } from '../../checks/index.ts'
import { type ServerObject, specOf } from '../../registry/index.ts'
import { type JsonObject, objectOf, textOf } from '../../schema/index.ts'

const EVERY_CONTAINER = ['initContainers', 'containers', 'ephemeralContainers'] as const
/** The fields of volumes whose Secret is named by `secretRef`. */
const BY_REFERENCE = ['cephfs', 'cinder', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos']

/** Why a mirror Pod is refused. The kubelet runs such a Pod without the API, so the Pod cannot refer to objects there. */
export function mirrorProblem(pod: ServerObject): string | undefined {
  const spec = specOf(pod)
  if (textOf(spec['serviceAccountName']) !== '') return 'a mirror pod may not reference service accounts'
  if (hasSecrets(spec)) return 'a mirror pod may not reference secrets'
  const projects = objectsIn(spec['volumes']).some(({ projected }) =>
    objectsIn(objectOf(projected)['sources']).some((source) => source['serviceAccountToken']),
  )
  return projects ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined
}

function hasSecrets(spec: JsonObject): boolean {
  const named = (reference: unknown, field = 'name'): boolean => textOf(objectOf(reference)[field]) !== ''
  return (
    objectsIn(spec['imagePullSecrets']).some((one) => named(one)) ||
    EVERY_CONTAINER.some((field) =>
      objectsIn(spec[field]).some((container) => secretsOf(container).some(({ secret }) => secret !== '')),
    ) ||
    objectsIn(spec['volumes']).some(
      (volume) =>
        named(volume['secret'], 'secretName') ||
        named(volume['azureFile'], 'secretName') ||
        named(objectOf(volume['csi'])['nodePublishSecretRef']) ||
        BY_REFERENCE.some((type) => named(objectOf(volume[type])['secretRef'])) ||
        objectsIn(objectOf(volume['projected'])['sources']).some((source) => named(source['secret'])),
    )
  )
}

/** A Secret in the environment of a container, and the field that names it. */
interface SecretUse {
  readonly secret: string
  readonly where: string
}

function secretsOf(container: JsonObject): SecretUse[] {
  const variables = objectsIn(container['env']).flatMap(({ name, valueFrom }) => {
    const { secretKeyRef } = objectOf(valueFrom)
    if (!secretKeyRef) return []
    return [{ secret: textOf(objectOf(secretKeyRef)['name']), where: `envVar ${textOf(name)}` }]
  })
  const whole = objectsIn(container['envFrom']).flatMap(({ secretRef }) =>
    secretRef ? [{ secret: textOf(objectOf(secretRef)['name']), where: 'envFrom' }] : [],
  )
  return [...variables, ...whole]
}

/**
 * Why a Pod is refused whose ServiceAccount lists the Secrets that its Pods may use. With `debugs`, only ephemeral
 * containers count.
 */
export function unlistedSecret(spec: JsonObject, account: ServerObject, debugs: boolean): string | undefined {
  const listed = (field: string): Set<string> =>
    new Set(objectsIn(account[field]).map(({ name }) => textOf(name)))
  const allowed = listed('secrets')
  const because = `is not allowed because service account ${account.metadata.name} does not reference that`
  const inContainers = (field: (typeof EVERY_CONTAINER)[number], called: string): string | undefined => {
    for (const container of objectsIn(spec[field])) {
      const wrong = secretsOf(container).find(({ secret }) => !allowed.has(secret))
      if (!wrong) continue
      return `${called} ${textOf(container['name'])} with ${wrong.where} referencing secret.secretName="${wrong.secret}" ${because} secret`
    }
    return undefined
  }
  if (debugs) return inContainers('ephemeralContainers', 'ephemeral container')
  for (const { secret } of objectsIn(spec['volumes'])) {
    const name = textOf(objectOf(secret)['secretName'])
    if (secret && !allowed.has(name)) return `volume with secret.secretName="${name}" ${because} secret`
  }
  const inEnvironment =
    inContainers('initContainers', 'init container') ?? inContainers('containers', 'container')
  if (inEnvironment !== undefined) return inEnvironment
  const pulls = listed('imagePullSecrets')
  for (const [index, { name }] of objectsIn(spec['imagePullSecrets']).entries()) {
    if (!pulls.has(textOf(name))) {
      return `imagePullSecrets[${index}].name="${textOf(name)}" ${because} imagePullSecret`
    }
  }
  return undefined
}
