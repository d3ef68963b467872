/** The steps and facts of a finding as `@homeostat/check` tells them: data, which the page puts into words. */

/** A step of a story. Objects are named by kind, namespace and name. */
export type ToldStep =
  | {
      readonly step: 'create'
      readonly object: string
      readonly owner?: string | undefined
      readonly content?: unknown
    }
  | { readonly step: 'change'; readonly object: string; readonly content: unknown }
  | { readonly step: 'delete'; readonly object: string }
  | { readonly step: 'remove'; readonly object: string }
  /** Without a value, the field is removed. */
  | { readonly step: 'edit'; readonly object: string; readonly path: string; readonly value?: unknown }
  | { readonly step: 'repeat'; readonly times: number; readonly steps: readonly ToldStep[] }
  | { readonly step: 'rest' }
  | { readonly step: 'wait'; readonly duration: string }
  | { readonly step: 'stop' }
  | { readonly step: 'start' }
  | {
      readonly step: 'crash'
      readonly request: number
      readonly moment: 'before' | 'after'
      readonly staysDown: boolean
    }
  | { readonly step: 'fail'; readonly request: number; readonly failure: ToldFailure }
  | { readonly step: 'slow'; readonly request: number }
  | { readonly step: 'hold'; readonly kind: string }
  | { readonly step: 'stale'; readonly kind: string }
  | { readonly step: 'release'; readonly kind: string }
  | { readonly step: 'note' }
  | { readonly step: 'pods'; readonly behaviour: ToldPods }

/** How a request fails: with an HTTP code of the server, or on its way. */
export type ToldFailure = 409 | 429 | 500 | 503 | 'not sent' | 'answer lost'

export type ToldPods = 'ready' | 'late' | 'never' | 'failing'

/** What is wrong. */
export type ToldFact =
  /** A missing value means that it is absent; an empty path means the whole object. */
  | {
      readonly fact: 'difference'
      readonly object: string
      readonly path: string
      readonly expected?: unknown
      readonly found?: unknown
    }
  | { readonly fact: 'deletes'; readonly object: string }
  | { readonly fact: 'not deleted'; readonly object: string }
  | { readonly fact: 'left behind'; readonly object: string; readonly left: readonly string[] }
  | { readonly fact: 'left outside'; readonly object: string }
  | { readonly fact: 'finalizer removed'; readonly object: string; readonly finalizer: string }
  | { readonly fact: 'many writes'; readonly path: string; readonly count: number }
  | {
      readonly fact: 'long reconcile'
      readonly controller: string
      readonly name: string
      readonly minutes: number
    }
  /** `throws` names the error of JavaScript itself. */
  | {
      readonly fact: 'reconcile fails'
      readonly controller: string
      readonly name: string
      readonly message: string
      readonly throws?: string | undefined
    }
  | { readonly fact: 'changed by restart'; readonly object: string }
  | { readonly fact: 'called by restart'; readonly object: string }
  | { readonly fact: 'updated by restart'; readonly path: string }
  | {
      readonly fact: 'says ready'
      readonly object: string
      readonly by: 'condition' | 'phase'
      readonly value: string
      readonly workload: string
    }
  | { readonly fact: 'more objects'; readonly size: number; readonly half: number; readonly example: string }
  | {
      readonly fact: 'larger'
      readonly object: string
      readonly path: string
      readonly size: number
      readonly half: number
      readonly unit: 'items' | 'entries' | 'characters'
    }
  | { readonly fact: 'uses machine'; readonly what: string }
  | { readonly fact: 'sample refused'; readonly object: string; readonly message: string }
  | { readonly fact: 'invariant'; readonly name: string; readonly message: string }
  | { readonly fact: 'message'; readonly message: string }
