/** Specs that fail on our API server, each as `package: title`, with the reason. */
export const knownFailures: Readonly<Record<string, string>> = {}
