/** The common name of the certificate of a front proxy: extension API servers trust no other one. */
export const FRONT_PROXY_NAME = 'front-proxy-client'
