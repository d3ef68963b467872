/** What stands in the header `authorization` of a request that nobody signs. */
export const ANONYMOUS = 'anonymous'
