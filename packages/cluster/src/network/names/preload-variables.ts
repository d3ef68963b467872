import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { HomeostatError } from '@homeostat/api'
import type { PodAddress } from '../addresses/index.ts'

/** The variables by which every Node process of a Pod takes part in the cluster's network. The preload reads them. */
export function preloadVariables(options: {
  /** The address of the name server. */
  readonly names: string
  readonly namespace: string
  readonly address: PodAddress
}): Record<string, string> {
  const { names, namespace, address } = options
  const settings = {
    names,
    namespace,
    host: address.host,
    podIP: address.podIP,
    ports: Object.fromEntries(address.movedPorts),
  }
  return {
    NODE_OPTIONS: `--require="${preloadFile().replaceAll(/["\\]/g, String.raw`\$&`)}"`,
    HOMEOSTAT_NETWORK: JSON.stringify(settings),
  }
}

/**
 * The file is in a folder of the package, one to three levels above this module, depending on whether the package is
 * built.
 */
function preloadFile(): string {
  const places = ['../preload', '../../preload', '../../../preload'].map((folder) =>
    fileURLToPath(new URL(`${folder}/cluster-network.cjs`, import.meta.url)),
  )
  const found = places.find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new HomeostatError(
    'PACKAGE_INCOMPLETE',
    `none of ${places.join(', ')} exists: install @homeostat/cluster again`,
  )
}
