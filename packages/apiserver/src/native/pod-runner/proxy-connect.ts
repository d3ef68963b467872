import type { PortConnection } from '../../http/index.ts'

/** Connects to a port of an address of the Pod network; rejects when nothing listens there. */
export type ProxyConnect = (address: string, port: number, signal?: AbortSignal) => Promise<PortConnection>
