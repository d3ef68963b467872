import { LazyModule } from '../../work/index.ts'

/** The encoder of protobuf, with the messages of all native kinds: only writes and requests in protobuf need it. */
export const protobuf = new LazyModule('protobuf', () => import('./encode-protobuf.ts'))
