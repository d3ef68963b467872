/**
 * The expressions in CEL by which webhooks and admission policies look at requests. It loads CEL, so that only late parts of
 * the server import it.
 */
export {
  AUTHORIZER_TYPE,
  authorizerInCel,
  authorizerLibrary,
  REQUEST_RESOURCE_TYPE,
  requestResourceInCel,
} from './authorizer-in-cel.ts'
export { jsonInCel } from './json-in-cel.ts'
