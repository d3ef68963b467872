export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  type Quantity,
} from '@homeostat/api'

/** What the API server says of a text that is no quantity. */
export const QUANTITY_PROBLEM =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
