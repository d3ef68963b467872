import { hostname } from 'node:os'

/** The machine's name, which in a Pod is the Pod's: tells people which process something is. */
export function hostName(): string {
  return hostname()
}
