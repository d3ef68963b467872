import { apiVersionOf, compareKindVersions, HomeostatError, type AnyKind } from '@homeostat/api'
import { operatorDefinitions, type Operator } from 'homeostat'
import type { Installation } from './installation.ts'
import { operatorManifests, type ManifestObject } from './operator-manifests.ts'
import { toYaml } from './yaml.ts'

/** The name, the version and the image of a bundle. */
export interface Bundle extends Omit<Installation, 'namespace'> {
  /** A semantic version: each version of an operator is a separate bundle. */
  readonly version: string
  /** The channel that users subscribe to. */
  readonly channel: string
}

/** Objects besides the ClusterServiceVersion and the definitions that OLM installs from a bundle. */
const INSTALLED: ReadonlySet<unknown> = new Set(['Service', 'PodDisruptionBudget'])
const MEDIA = 'operators.operatorframework.io.bundle'

/**
 * A bundle for the Operator Lifecycle Manager: its files by path, as text. OLM makes the namespace, the account and the roles from the
 * ClusterServiceVersion. Throws with code `BUNDLE_UNSUPPORTED` for an operator whose webhooks OLM could not install.
 */
export function olmBundle(operator: Operator, bundle: Bundle): Record<string, string> {
  checkBundle(operator, bundle)
  const { name } = operator
  const { version, channel, image, replicas } = bundle
  const files = operatorManifests(operator, { namespace: NAMESPACE, image, replicas })
  const objects = [...(files['manager.yaml'] ?? []), ...(files['webhooks.yaml'] ?? [])]
  const labels = Object.entries({
    [`${MEDIA}.mediatype.v1`]: 'registry+v1',
    [`${MEDIA}.manifests.v1`]: 'manifests/',
    [`${MEDIA}.metadata.v1`]: 'metadata/',
    [`${MEDIA}.package.v1`]: name,
    [`${MEDIA}.channels.v1`]: channel,
    [`${MEDIA}.channel.default.v1`]: channel,
  })
  const named = (object: ManifestObject, suffix: string): [string, string] => [
    `manifests/${nameOf(object)}.${suffix}.yaml`,
    toYaml([withoutNamespace(object)]),
  ]
  return {
    [`manifests/${name}.clusterserviceversion.yaml`]: toYaml([
      serviceVersion(operator, version, [...(files['access.yaml'] ?? []), ...objects]),
    ]),
    ...Object.fromEntries((files['crd.yaml'] ?? []).map((definition) => named(definition, 'crd'))),
    ...Object.fromEntries(
      objects
        .filter((object) => INSTALLED.has(fieldOf(object, 'kind')))
        .map((object) => named(object, String(fieldOf(object, 'kind')).toLowerCase())),
    ),
    'metadata/annotations.yaml': toYaml([{ annotations: Object.fromEntries(labels) }]),
    'bundle.Dockerfile': [
      'FROM scratch',
      ...labels.map(([label, value]) => `LABEL ${label}=${value}`),
      'COPY manifests /manifests/',
      'COPY metadata /metadata/\n',
    ].join('\n'),
  }
}

/** A placeholder, which is removed from the objects again: OLM sets the namespace. */
const NAMESPACE = 'olm-decides'

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/

function checkBundle(operator: Operator, { version }: Bundle): void {
  const refuse = (message: string): never => {
    throw new HomeostatError('BUNDLE_UNSUPPORTED', `cannot make a bundle of ${operator.name}: ${message}`)
  }
  if (!VERSION.test(version))
    refuse(`its version ${version} is not a semantic version: set version in package.json, such as 1.2.0`)
  if (operator.webhooks.length === 0) return
  const address = { service: { name: operator.name, namespace: NAMESPACE } }
  if (operatorDefinitions(operator, address).some(({ spec }) => spec.conversion !== undefined))
    refuse(
      'OLM installs the definitions, and does not know the webhook that converts their versions: use --helm or plain manifests',
    )
  if (operator.webhookServer?.install !== true)
    refuse(
      'OLM does not install its webhook configurations: let the operator do it, by webhookServer: { install: true }',
    )
}

function serviceVersion(operator: Operator, version: string, objects: readonly ManifestObject[]): object {
  const { name, samples } = operator
  const find = (kind: string): ManifestObject | undefined =>
    objects.find((object) => fieldOf(object, 'kind') === kind)
  const deployment = find('Deployment') ?? {}
  const permissions = (role: ManifestObject | undefined): object[] => [
    { serviceAccountName: name, rules: (role && fieldOf(role, 'rules')) ?? [] },
  ]
  const owned = operator.kinds.toSorted(byName)
  // alm-examples lists only objects of the operator's own kinds; a sample may also be a Secret.
  const isOwned = (sample: object): boolean =>
    owned.some(
      (kind) => fieldOf(sample, 'kind') === kind.kind && fieldOf(sample, 'apiVersion') === apiVersionOf(kind),
    )
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `${name}.v${version}`,
      namespace: 'placeholder',
      annotations: {
        'alm-examples': JSON.stringify(samples.filter(isOwned), undefined, 2),
        capabilities: 'Basic Install',
      },
    },
    spec: {
      displayName: name,
      description: `The operator ${name}.`,
      version,
      maturity: 'alpha',
      provider: { name },
      keywords: [name],
      maintainers: [],
      links: [],
      installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map((type) => ({
        type,
        supported: type === 'AllNamespaces',
      })),
      customresourcedefinitions: { owned: owned.map(ownedKind) },
      install: {
        strategy: 'deployment',
        spec: {
          clusterPermissions: permissions(find('ClusterRole')),
          permissions: permissions(find('Role')),
          deployments: [
            { name: nameOf(deployment), label: labelsIn(deployment), spec: fieldOf(deployment, 'spec') },
          ],
        },
      },
    },
  }
}

function ownedKind(kind: AnyKind): object {
  return {
    name: `${kind.plural}.${kind.group}`,
    version: kind.version,
    kind: kind.kind,
    displayName: kind.kind,
    description: `${kind.kind} of ${kind.group}`,
  }
}

function byName(one: AnyKind, other: AnyKind): number {
  if (one.plural !== other.plural) return one.plural < other.plural ? -1 : 1
  return compareKindVersions(one.version, other.version)
}

function fieldOf(object: object, field: string): unknown {
  return Object.hasOwn(object, field) ? Reflect.get(object, field) : undefined
}

function metadataOf(object: ManifestObject): object {
  const metadata = fieldOf(object, 'metadata')
  return typeof metadata === 'object' && metadata !== null ? metadata : {}
}

function nameOf(object: ManifestObject): string {
  return String(fieldOf(metadataOf(object), 'name'))
}

function labelsIn(object: ManifestObject): unknown {
  return fieldOf(metadataOf(object), 'labels')
}

function withoutNamespace(object: ManifestObject): ManifestObject {
  const metadata = Object.entries(metadataOf(object)).filter(([field]) => field !== 'namespace')
  return { ...object, metadata: Object.fromEntries(metadata) }
}
