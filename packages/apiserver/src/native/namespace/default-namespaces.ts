/** The namespaces that are there from the start. */
export const DEFAULT_NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const

/** The finalizer in a namespace's spec, which keeps the namespace until its content is deleted. */
export const CONTENT_FINALIZER = 'kubernetes'
