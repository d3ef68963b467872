import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { At, at } from '@homeostat/example-at'
import { MarkdownView, markdownView } from '@homeostat/example-markdownview'
import type { Cluster } from '@homeostat/cluster'
import { findCondition, type AnyKind, type Controller } from 'homeostat'
import { parse } from 'yaml'

/** An operator as the demo shows it. */
export interface Example {
  readonly kind: AnyKind
  readonly controller: Controller
  /** The sample's object, as it is created. */
  sample(now: number): { metadata: { namespace: string; name: string } }
  /** Whether the object has reached its goal. */
  reached(object: any): boolean
  /** What `kubectl get` would print in the end: paths of lists, and what stands before the names. */
  readonly tables: readonly { path: string; prefix?: string }[]
  /** The Service whose page is shown. */
  readonly service?: { service: { namespace: string; name: string }; port: number }
  readonly suggestions: readonly string[]
}
