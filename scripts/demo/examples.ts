import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { At, at } from '@homeostat/example-at'
import { MarkdownView, markdownView } from '@homeostat/example-markdownview'
import { isConditionTrue, timestamp, type AnyKind, type Controller, type ObjectOf } from 'homeostat'
import { parse } from 'yaml'

/** An operator as the demo shows it. */
export interface Example {
  readonly kind: AnyKind
  readonly controller: Controller
  /** The object that is created. */
  sample(now: number): { metadata: { namespace: string; name: string } }
  /** Whether the object has reached its goal. */
  reached(object: any): boolean
  /** What `kubectl get` would print in the end: paths of lists or objects, and what stands before the names. */
  readonly tables: readonly { readonly path: string; readonly prefix?: string }[]
  /** The Service whose page is shown. */
  readonly service?: { readonly service: { namespace: string; name: string }; readonly port: number }
  /** What to try while the demo follows the loop. */
  readonly suggestions: readonly string[]
}

const CORE = '/api/v1/namespaces/default'
const APPS = '/apis/apps/v1/namespaces/default'

export const examples: Readonly<Record<'markdownview' | 'at', Example>> = {
  markdownview: {
    kind: MarkdownView,
    controller: markdownView,
    sample: () => manifest('markdownview'),
    reached: (view: ObjectOf<typeof MarkdownView>) => isConditionTrue(view.status?.conditions, 'Healthy'),
    tables: [
      { path: `${APPS}/deployments`, prefix: 'deployment.apps/' },
      { path: `${CORE}/services`, prefix: 'service/' },
      { path: `${CORE}/configmaps`, prefix: 'configmap/' },
      { path: '/apis/view.zoetrope.github.io/v1/namespaces/default/markdownviews' },
    ],
    service: { service: { namespace: 'default', name: 'viewer-markdownview-sample' }, port: 80 },
    suggestions: [
      'kubectl delete deployment viewer-markdownview-sample     and watch it come back',
      'kubectl edit markdownview markdownview-sample            change the text, and the page follows',
      'kubectl delete markdownview markdownview-sample          and everything that it owned goes with it',
    ],
  },
  at: {
    kind: At,
    controller: at,
    sample: (now) => {
      const sample = manifest('at')
      return { ...sample, spec: { ...sample.spec, schedule: timestamp(now + 3_000) } }
    },
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
}

function manifest(example: string): { metadata: { namespace: string; name: string }; spec: object } {
  return parse(
    readFileSync(resolve(import.meta.dirname, `../../examples/${example}/manifests/sample.yaml`), 'utf8'),
  )
}
