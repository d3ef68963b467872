import type { Pod } from '@homeostat/api/kinds'
import { isClusterAddress, type PodAddress } from '../../network/index.ts'
import { hostnameOf } from './pod-files.ts'

/** The most bytes of the machine's file. Some users keep thousands of hosts there, which no Pod needs. */
const MOST_OF_MACHINE = 65_536

/**
 * The beginning of the hosts file of a Pod's processes: the machine's own file, since they are on its network, the
 * Pod itself, and its `hostAliases`. An address of the cluster is replaced by its loopback address, and left out
 * where it has none: nothing may be sent there.
 */
export function processHosts(options: {
  readonly pod: Pod
  readonly address: PodAddress
  /** The content of the machine's own file. */
  readonly machine: string
  readonly loopbackAddress: (address: string) => string | undefined
}): string {
  const { pod, address, machine, loopbackAddress } = options
  const { subdomain, hostAliases = [] } = pod.spec
  const hostname = hostnameOf(pod)
  const whole = subdomain ? [`${hostname}.${subdomain}.${pod.metadata.namespace}.svc.cluster.local`] : []
  const lines = [line(address.host, [...whole, hostname])]
  for (const { ip, hostnames = [] } of hostAliases) {
    const place = isClusterAddress(ip) ? loopbackAddress(ip) : ip
    if (place !== undefined && hostnames.length > 0) lines.push(line(place, hostnames))
  }
  return `${ownLines(machine)}${lines.join('')}`
}

/** Keeps whole lines only, and always the line for localhost. */
function ownLines(machine: string): string {
  const whole = machine === '' || machine.endsWith('\n') ? machine : `${machine}\n`
  const kept = whole.slice(0, whole.lastIndexOf('\n', MOST_OF_MACHINE) + 1)
  return /^[^#\n]*\slocalhost\s/m.test(kept) ? kept : `127.0.0.1\tlocalhost\n${kept}`
}

function line(address: string, names: readonly string[]): string {
  return `${address}\t${names.join(' ')}\n`
}
