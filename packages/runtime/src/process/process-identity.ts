import { hostname } from 'node:os'

/**
 * The name of the machine, or in a Pod the name of the Pod, to identify the process in messages. Containers have it
 * in `HOSTNAME`, even those that run directly on this machine.
 */
export function hostName(): string {
  return process.env['HOSTNAME'] || hostname()
}
