import { LatePart } from '../../registry/late-part.ts'

/** The tables of native kinds: whoever does not ask for tables needs none of them. */
export const nativePrinters = new LatePart('what prints native kinds', () => import('./native.ts'))
