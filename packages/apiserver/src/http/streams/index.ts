/** The streams of Pods over a port: the protocols that carry `exec`, `attach` and `port-forward`. */
export { upgrade } from './upgrade.ts'
