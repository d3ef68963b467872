import { HomeostatError } from '../errors/index.ts'

/**
 * A patch that cannot be applied. `PATCH_INVALID`: it is not a patch of its kind (400 to a client);
 * `PATCH_TOO_LARGE`: it asks for more than a server does at once (413); `PATCH_FAILED`: it is a patch, but
 * does not fit this object (422, and 500 where Kubernetes has no better code); `PATCH_UNPROCESSABLE`: it asks for what no
 * server can do (422).
 */
export class PatchError extends HomeostatError {
  override readonly name = 'PatchError'
}
