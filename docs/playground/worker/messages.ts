import type {
  Entry,
  Recording,
  ShownFinding,
  StepInWords,
} from '../../../packages/dashboard/src/recording/index.ts'

/** The code of an operator: texts by file name. `operator.ts` exports the operator by default. */
export type Files = Readonly<Record<string, string>>

/** How simulated Pods behave: see `PodBehaviour` of `@homeostat/cluster/testing`. */
export type Pods = 'ready' | 'late' | 'never' | 'failing'

/** A problem of the code, or of its run. */
export interface Problem {
  readonly message: string
  /** The place in the code that it names. */
  readonly place?: Place | undefined
}

export interface Place {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column: number
}

/** What the page asks of the worker. */
export type Order =
  /** The first message: runs the operator. */
  | { readonly type: 'run'; readonly files: Files }
  /** The first message: checks the operator instead. */
  | { readonly type: 'check'; readonly files: Files }
  /** The first message: plays the story of a finding and records it. */
  | { readonly type: 'story'; readonly files: Files; readonly finding: CheckedFinding }
  /** Lets simulated time pass. */
  | { readonly type: 'advance'; readonly milliseconds: number }
  | { readonly type: 'pods'; readonly behaviour: Pods }
  /** What the page of an operator asks of its server. */
  | { readonly type: 'act'; readonly id: number; readonly action: string; readonly body: object }

/** What the worker tells the page. */
export type Report =
  /** Said every second: code in an endless loop says nothing. */
  | { readonly type: 'alive' }
  | { readonly type: 'recording'; readonly recording: Recording }
  | { readonly type: 'entries'; readonly entries: readonly Entry[] }
  /** Simulated time has passed: it is `now`, in milliseconds since 1970. Answers each `advance`. */
  | { readonly type: 'time'; readonly now: number }
  | { readonly type: 'problem'; readonly problem: Problem }
  | { readonly type: 'answer'; readonly id: number; readonly status: number; readonly body: object }
  | { readonly type: 'checking'; readonly done: number; readonly planned: number; readonly findings: number }
  | { readonly type: 'checked'; readonly findings: readonly CheckedFinding[]; readonly runs: number }
  /** Answers a `story`. */
  | { readonly type: 'story'; readonly recording: Recording }

/** A finding of a check, as the page shows it and as the worker plays it again. */
export interface CheckedFinding {
  readonly told: ShownFinding & { readonly steps: readonly StepInWords[] }
  /** How many further stories show the same. */
  readonly others: number
  /** A `Finding` of `@homeostat/check`, which only the worker reads. */
  readonly finding: unknown
}
