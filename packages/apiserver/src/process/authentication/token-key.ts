import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { HomeostatError } from '@homeostat/api'
import type { TokenKey } from '../../auth/index.ts'
import { readText } from '../flags/files.ts'

/** The private key in a PEM file, or its public half, or the key of a certificate. Fails with `KEY_INVALID`. */
export function readKey(option: string, path: string, type: 'private' | 'public'): TokenKey {
  const text = readText(option, path)
  return keyFrom(option, path, () => (type === 'private' ? createPrivateKey(text) : createPublicKey(text)))
}

function keyFrom(option: string, path: string, read: () => KeyObject): TokenKey {
  try {
    return read().export({ format: 'jwk' })
  } catch (cause) {
    const message = `--${option}: ${path} contains no readable key: give an RSA or elliptic key in PEM`
    throw new HomeostatError('KEY_INVALID', message, { cause })
  }
}
