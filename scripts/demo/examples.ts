import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { ImageMap } from '@homeostat/cluster'
import atOperator, { At } from '@homeostat/example-at'
import mariadbOperator, { MariaDB } from '@homeostat/example-mariadb'
import markdownViewOperator, { MarkdownView } from '@homeostat/example-markdownview'
import tenantOperator, { Tenant } from '@homeostat/example-tenant'
import vcapOperator, { VcapServicesConverter } from '@homeostat/example-vcap'
import visitorsOperator, { VisitorsApp } from '@homeostat/example-visitors'
import { visitorsImages } from '@homeostat/example-visitors/images'
import {
  isConditionTrue,
  sample,
  timestamp,
  type AnyKind,
  type Condition,
  type ObjectOf,
  type Operator,
  type SampleObject,
} from 'homeostat'
import type { Edit } from './edit.ts'
import { viewerEdits } from './viewer-edits.ts'

/** An operator as the demo shows it. */
export interface Example {
  readonly operator: Operator
  /** The kind that the story is about. */
  readonly kind: AnyKind
  /** The objects that are created, in this order. One of them is of the kind. Default: the samples of the operator. */
  samples?(now: number): readonly SampleObject[]
  /** Whether the object has reached its goal. */
  reached(object: any): boolean
  /** Changes by other writers, made when the goal is reached: the operator heals each of them. */
  readonly edits?: readonly Edit[]
  /** The objects that `kubectl get` would print in the end: paths of lists or objects, and the prefix of the names. */
  readonly tables: readonly { readonly path: string; readonly prefix?: string }[]
  /** The Service whose page is shown. */
  readonly service?: { readonly service: { namespace: string; name: string }; readonly port: number }
  /** The programs of images that are not bundled. Default: none. */
  readonly images?: ImageMap
  /** A program that the machine must have, and how to get it. */
  readonly needs?: { readonly program: string; readonly remedy: string }
  /** A command to try while the demo follows the loop. */
  readonly suggestions: readonly string[]
}

const CORE = '/api/v1/namespaces/default'
const APPS = '/apis/apps/v1/namespaces/default'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

const MARIADBD = {
  program: 'mariadbd',
  remedy:
    'install the package mariadb-server (Debian, Ubuntu) or mariadb (Homebrew), or choose another example',
}

/** The names of the examples; the first is the default. */
export const EXAMPLE_NAMES = ['markdownview', 'at', 'mariadb', 'visitors', 'vcap', 'tenant'] as const
export type ExampleName = (typeof EXAMPLE_NAMES)[number]

export const examples: Readonly<Record<ExampleName, Example>> = {
  markdownview: {
    operator: markdownViewOperator,
    kind: MarkdownView,
    reached: (view: ObjectOf<typeof MarkdownView>) => isConditionTrue(view.status?.conditions, 'Healthy'),
    edits: viewerEdits({ namespace: 'default', name: 'viewer-markdownview-sample' }),
    tables: [
      { path: `${APPS}/deployments`, prefix: 'deployment.apps/' },
      { path: `${CORE}/services`, prefix: 'service/' },
      { path: `${CORE}/configmaps`, prefix: 'configmap/' },
      { path: '/apis/view.zoetrope.github.io/v1/namespaces/default/markdownviews' },
    ],
    service: { service: { namespace: 'default', name: 'viewer-markdownview-sample' }, port: 80 },
    suggestions: [
      'kubectl scale deployment viewer-markdownview-sample --replicas=3     and watch it being healed',
      'kubectl delete deployment viewer-markdownview-sample     and watch it come back',
      'kubectl edit markdownview markdownview-sample            change the text, and the page follows',
      `kubectl patch markdownview markdownview-sample --type=json -p '[{"op":"remove","path":"/spec/markdowns/SUMMARY.md"}]'     and be refused by the operator's webhook`,
      'kubectl delete markdownview markdownview-sample          and everything that it owned goes with it',
    ],
  },
  at: {
    operator: atOperator,
    kind: At,
    samples: (now) => [
      sample(At, {
        metadata: { namespace: 'default', name: 'at-sample' },
        spec: { schedule: timestamp(now + 3_000), command: 'echo YAY' },
      }),
    ],
    reached: (object: ObjectOf<typeof At>) => object.status?.phase === 'DONE',
    tables: [
      { path: '/apis/cnat.programming-kubernetes.info/v1alpha1/namespaces/default/ats' },
      { path: `${CORE}/pods`, prefix: 'pod/' },
    ],
    suggestions: [
      'kubectl logs at-sample-pod           what the command printed',
      'kubectl describe at at-sample        its life so far',
      'kubectl delete at at-sample          and its Pod goes with it',
    ],
  },
  mariadb: {
    operator: mariadbOperator,
    kind: MariaDB,
    reached: (object: ObjectOf<typeof MariaDB>) => object.status?.readyReplicas === object.spec.replicas,
    needs: MARIADBD,
    tables: [
      { path: '/apis/mariadb.example.com/v1alpha1/namespaces/default/mariadbs' },
      { path: `${APPS}/statefulsets`, prefix: 'statefulset.apps/' },
      { path: `${CORE}/services`, prefix: 'service/' },
      { path: `${CORE}/persistentvolumeclaims`, prefix: 'persistentvolumeclaim/' },
    ],
    suggestions: [
      'kubectl port-forward svc/mariadb-sample 3306     and connect with any client: root, password "example"',
      'kubectl delete pod mariadb-sample-0 --wait=false a new Pod finds the old data',
      'kubectl delete mariadb mariadb-sample            the data stays: dataPolicy is Retain',
    ],
  },
  visitors: {
    operator: visitorsOperator,
    kind: VisitorsApp,
    reached: isReady,
    images: visitorsImages,
    needs: MARIADBD,
    tables: [
      { path: '/apis/example.com/v1/namespaces/default/visitorsapps' },
      { path: `${APPS}/deployments`, prefix: 'deployment.apps/' },
      { path: `${CORE}/services`, prefix: 'service/' },
    ],
    service: { service: { namespace: 'default', name: 'visitors-sample-frontend' }, port: 3000 },
    suggestions: [
      'kubectl delete deployment visitors-sample-backend   and it comes back',
      'kubectl delete visitorsapp visitors-sample          its tiers stop in reverse order',
    ],
  },
  vcap: {
    operator: vcapOperator,
    kind: VcapServicesConverter,
    reached: isReady,
    tables: [
      { path: '/apis/deployment.hsc.philips.com.cn/v1/namespaces/default/vcapservicesconverters' },
      { path: `${CORE}/secrets`, prefix: 'secret/' },
    ],
    suggestions: [
      'kubectl delete secret orders-queue          the converter says that it waits for it',
      'kubectl create secret generic unrelated     a Secret that no converter names starts no reconcile',
    ],
  },
  tenant: {
    operator: tenantOperator,
    kind: Tenant,
    reached: isReady,
    tables: [
      { path: '/apis/multitenancy.example.com/v1/tenants' },
      { path: '/api/v1/namespaces', prefix: 'namespace/' },
      {
        path: `${RBAC}/namespaces/sample-web/rolebindings`,
        prefix: 'rolebinding.rbac.authorization.k8s.io/',
      },
    ],
    suggestions: [
      'kubectl delete rolebinding --all -n sample-web   and they come back',
      'kubectl edit tenant tenant-sample                rename a member: the old binding goes',
      'kubectl delete tenant tenant-sample              and its namespaces go with it',
    ],
  },
}

/** The program that the example needs and the machine lacks, in words for the user. */
export function missingProgram({ kind, needs }: Example): string | undefined {
  if (!needs) return undefined
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  if (folders.some((folder) => isExecutable(join(folder, needs.program)))) return undefined
  return `${kind.kind} runs the program ${needs.program}, which this machine does not have: ${needs.remedy}`
}

function isReady(object: { readonly status?: { readonly conditions: readonly Condition[] } }): boolean {
  return isConditionTrue(object.status?.conditions, 'Ready')
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
