import { LazyModule } from '../../work/index.ts'

/** The messages of all native kinds, which only writes and requests in protobuf need. */
export const protobufMessages = new LazyModule(
  'the table of messages',
  () => import('../generated/protobuf-messages.ts'),
)
