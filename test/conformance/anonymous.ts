/** The header `authorization` of an anonymous request in a scenario. */
export const ANONYMOUS = 'anonymous'
