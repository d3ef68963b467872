import { LazyModule } from '../../work/index.ts'

/** The messages of all native kinds: whoever neither writes nor speaks protobuf needs none of them. */
export const protobufMessages = new LazyModule(
  'the table of messages',
  () => import('../generated/protobuf-messages.ts'),
)
