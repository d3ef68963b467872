import { join } from 'node:path'
import { definitionSpec, groupOf, isAside, readManifests, type Manifest } from './manifests.ts'
import type { TypedManifests } from './typed-project.ts'

/** The projects whose kinds are made by `homeostat types`, each with the definitions that are recorded. */
const SELECTIONS: Readonly<Record<string, readonly string[]>> = {
  'cert-manager': ['certificaterequests.cert-manager.io', 'certificates.cert-manager.io'],
  'Gateway API': ['gatewayclasses.gateway.networking.k8s.io', 'referencegrants.gateway.networking.k8s.io'],
  'Prometheus operator': ['prometheusrules.monitoring.coreos.com'],
  'Argo CD': ['appprojects.argoproj.io'],
  Crossplane: [
    'environmentconfigs.apiextensions.crossplane.io',
    'locks.pkg.crossplane.io',
    'managedresourcedefinitions.apiextensions.crossplane.io',
    'usages.apiextensions.crossplane.io',
    'usages.protection.crossplane.io',
  ],
  Istio: ['peerauthentications.security.istio.io', 'workloadentries.networking.istio.io'],
}

export const TYPED_PROJECTS = Object.keys(SELECTIONS)

/** Where the selection of a project is kept. */
export function recordedFile(project: string): string {
  return join(import.meta.dirname, 'recorded', `${project.toLowerCase().replaceAll(' ', '-')}.json`)
}

/** The definitions that a project installs, and all objects of their kinds in its files. */
export function typedManifests(folder: string): TypedManifests {
  const { definitions, samples } = readManifests(folder)
  return ofKinds(
    definitions.filter((definition) => !isAside(definition)),
    samples,
  )
}

/** How many samples of each kind are recorded. */
const SAMPLES = 3

/** A small part of what a project has, without descriptions. */
export function selected(project: string, manifests: TypedManifests): TypedManifests {
  const names = SELECTIONS[project] ?? []
  const definitions = manifests.definitions
    .filter(({ object }) => names.includes(String(object.metadata?.['name'])))
    .map(({ place, object }) => ({ place, object: withoutDescriptions(object) as Manifest['object'] }))
  const { samples } = ofKinds(definitions, manifests.samples)
  const seen = new Map<string, number>()
  const few = samples.filter(({ object }) => {
    const count = (seen.get(kindOf(object)) ?? 0) + 1
    seen.set(kindOf(object), count)
    return count <= SAMPLES
  })
  return { definitions, samples: few }
}

function ofKinds(definitions: readonly Manifest[], samples: readonly Manifest[]): TypedManifests {
  const kinds = definitions.map(({ object }) => {
    const { group, names } = definitionSpec(object)
    return `${group} ${names.kind}`
  })
  return { definitions, samples: samples.filter(({ object }) => kinds.includes(kindOf(object))) }
}

function kindOf(object: Manifest['object']): string {
  return `${groupOf(object)} ${object.kind}`
}

/** A field may be called description as well, and is kept. */
function withoutDescriptions(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutDescriptions)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, field]) => key !== 'description' || typeof field !== 'string')
      .map(([key, field]) => [key, withoutDescriptions(field)]),
  )
}
