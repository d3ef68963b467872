import type { ApiHandler } from '@homeostat/api'

/** The kubelets of this process, by the names of their nodes. They answer what is asked of a kubelet's port. */
export type KubeletHandlers = (node: string) => ApiHandler | undefined
