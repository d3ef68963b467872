import { hostname } from 'node:os'

/**
 * The name of the machine, which in a Pod is the Pod's: tells people which process something is. Containers have it in
 * `HOSTNAME`, also those that share this machine's name.
 */
export function hostName(): string {
  return process.env['HOSTNAME'] || hostname()
}
