import type { Activity } from 'homeostat'

export interface WorldOptions {
  /** Changes random numbers and the time of day: places that differ between two values of it vary from run to run. Default: 0. */
  readonly variation?: number | undefined
  /** The rights of the operator. A world with declared rights takes longer to start. Default: `'all'`. */
  readonly rights?: 'declared' | 'all' | undefined
  /** Sees what the operator does. Default: none. */
  readonly observer?: WorldObserver | undefined
  /** Whether to note from which line of code each request was sent, which takes as long as a small request. Default: true. */
  readonly traces?: boolean | undefined
}

/** Sees the processes of the operator in a world. */
export interface WorldObserver {
  /** Receives the activity of the managers of all processes. */
  readonly activity: Activity
  /** A process of the operator starts, or has ended. */
  processChanged(isRunning: boolean): void
}

export interface StoryOptions {
  /** Whether to start a new process at the end, and see what it changes. Default: false. */
  readonly restartAtEnd?: boolean | undefined
  /** The step to begin with, counted from 0. Default: 0. */
  readonly from?: number | undefined
  /** Called before each step. Default: none. */
  readonly onStep?: ((step: number) => void) | undefined
  /** Called after each step, with the version of the object that the step wrote. Default: none. */
  readonly onStepEnd?: ((resourceVersion: string | undefined) => void) | undefined
}

export interface PlayOptions extends WorldOptions, StoryOptions {}
