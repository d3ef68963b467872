import { LazyModule } from '../../work/index.ts'

/** The tables of native kinds: whoever does not ask for tables needs none of them. */
export const nativePrinters = new LazyModule('what prints native kinds', () => import('./native.ts'))
