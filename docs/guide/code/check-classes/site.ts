import { check, textReport, type CheckOptions, type FindingClass } from '@homeostat/check'
import {
  controller,
  controllerReference,
  defineKind,
  operator,
  sample,
  schema as s,
  type Controller,
  type ObjectOf,
  type Operator,
} from 'homeostat'
import { ConfigMap, Deployment, Secret } from 'homeostat/kinds'
import { expect, test } from 'vitest'

/** A page that is served. */
export const Site = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({ text: s.string(), secret: s.string().optional() }),
  status: s.object({
    observedGeneration: s.integer().optional(),
    phase: s.string().optional(),
    looks: s.integer().optional(),
  }),
})
export type Site = ObjectOf<typeof Site>

const metadata = { name: 'blog', namespace: 'default' }
const secret = sample(Secret, { metadata: { name: 'login', namespace: 'default' }, data: { user: 'YQ==' } })

export const base = () =>
  controller('sites')
    .for(Site)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply', 'create', 'update', 'delete', 'createOrUpdate')
    .writes(Site, 'status.patch', 'patch')

/** As `base`, with a Deployment that serves the page. */
export const serving = () => base().owns(Deployment).writes(Deployment, 'apply')

/** The metadata of a child of a Site. */
export const childOf = (site: Site, suffix = '') => ({
  namespace: site.metadata.namespace,
  name: `${site.metadata.name}${suffix}`,
  ownerReferences: [controllerReference(site)],
})

/** The Deployment of a Site. */
export const deploymentOf = (site: Site) => {
  const labels = { site: site.metadata.name }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } }
  return { metadata: childOf(site), spec: { replicas: 1, selector: { matchLabels: labels }, template } }
}

export const FINALIZER = 'guide.example.com/bucket'
/** Stands for a system outside of the cluster. */
export const buckets = new Set<string>()

/** A reconciler with a mistake, and the same without it. */
export interface Pair {
  readonly found: FindingClass
  /** Classes whose trials show it. Default: `found`. */
  readonly tries?: readonly FindingClass[]
  readonly options?: CheckOptions
  readonly wrong: () => Controller
  readonly right: () => Controller
}

/** Tests that the checker finds the mistakes, and finds nothing in the right reconcilers. */
export function testPairs(pairs: readonly Pair[]): void {
  test.for(pairs)(
    '$found: the wrong reconciler is found, the right one is not',
    { timeout: 120_000 },
    async ({ found, tries = [found], options, wrong, right }) => {
      const spec = { text: 'hello', ...(found === 'reference' && { secret: 'login' }) }
      const samples = [sample(Site, { metadata, spec }), ...(found === 'reference' ? [secret] : [])]
      const checked = (made: () => Controller) =>
        check((): Operator => operator('sites', { controllers: [made()], samples }), {
          ...options,
          only: tries,
        })
      const report = await checked(wrong)
      const classes = report.findings.map((finding) => finding.class)
      expect(classes, textReport(report)).toContain(found)
      const calm = await checked(right)
      expect(calm.findings, textReport(calm)).toEqual([])
    },
  )
}
