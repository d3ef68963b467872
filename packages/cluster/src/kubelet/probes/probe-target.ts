import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { PodAddress } from '../../network/index.ts'
import type { ProbeTarget } from './http-get.ts'

/** The address of a container's port, given by its number or its name. Throws with the message of a kubelet. */
export function probeTarget(
  container: DeepReadonly<CoreV1.Container>,
  address: PodAddress,
  port: number | string,
): ProbeTarget {
  const named = container.ports?.find((entry) => entry.name === port)?.containerPort
  const number = typeof port === 'number' ? port : (named ?? Number(port))
  if (Number.isNaN(number)) throw new Error(`strconv.Atoi: parsing ${JSON.stringify(port)}: invalid syntax`)
  if (!Number.isInteger(number) || number < 1 || number > 65_535) {
    throw new Error(`invalid port number: ${number}`)
  }
  return { host: address.host, port: address.port(number), shown: `${address.podIP}:${number}` }
}
