import { HomeostatError } from '../errors/index.ts'

/**
 * A patch that cannot be applied. Its codes, and the answers of a server:
 *
 * - `PATCH_INVALID` (400): it is not a valid patch of its type.
 * - `PATCH_TOO_LARGE` (413): it exceeds the limits of a server.
 * - `PATCH_FAILED` (422, and 500 where Kubernetes has no better code): it is a patch, but does not fit this object.
 * - `PATCH_UNPROCESSABLE` (422): it asks for something that servers do not support.
 */
export class PatchError extends HomeostatError {
  override readonly name = 'PatchError'
}
