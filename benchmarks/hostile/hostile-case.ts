import type { ClusterProcess } from '../cluster/cluster-process.ts'

/** The kinds of cases. */
export const GROUPS = ['pods', 'requests', 'reconcilers'] as const
export type Group = (typeof GROUPS)[number]

/** The other observations of a case, besides the silence. */
export interface Outcome {
  /** The size of the largest answer, in bytes, where the case asks for some. */
  readonly answer?: number | undefined
  /** Its result. */
  readonly note: string
}

/** Something that tries to stop a cluster. It ends by itself, and leaves nothing of its own running. */
export interface HostileCase {
  readonly group: Group
  readonly title: string
  /** Prepares what is not measured. */
  prepare?(cluster: ClusterProcess, signal: AbortSignal): Promise<void>
  /** Goes on for about so long. */
  run(cluster: ClusterProcess, seconds: number, signal: AbortSignal): Promise<Outcome>
}
