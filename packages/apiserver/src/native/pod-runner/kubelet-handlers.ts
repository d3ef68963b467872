import type { ApiHandler } from '@homeostat/api'

/** The kubelets of this process, by the names of their nodes. They answer requests to a kubelet's port. */
export type KubeletHandlers = (node: string) => ApiHandler | undefined
