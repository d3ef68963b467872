import { LazyModule } from '../../work/index.ts'

/** The tables of native kinds, which only requests for tables need. */
export const nativePrinters = new LazyModule(
  'the module of the tables of native kinds',
  () => import('./native.ts'),
)
