import { Buffer } from 'node:buffer'
import { createCipheriv, createDecipheriv, randomBytes, type CipherGCMTypes } from 'node:crypto'
import type { Provider } from './provider.ts'

const CBC_VECTOR = 16
const GCM_NONCE = 12
const GCM_TAG = 16

/** AES in CBC mode with padding. The result is the initialization vector, followed by the encrypted bytes. */
export function aesCbc(secret: Uint8Array): Provider {
  const algorithm = `aes-${secret.length * 8}-cbc`
  return {
    encrypt(bytes) {
      const vector = randomBytes(CBC_VECTOR)
      const cipher = createCipheriv(algorithm, secret, vector)
      return Buffer.concat([vector, cipher.update(bytes), cipher.final()])
    },
    decrypt(bytes) {
      if (bytes.length < CBC_VECTOR) throw new Error('the stored data was shorter than the required size')
      if (bytes.length % CBC_VECTOR !== 0) {
        throw new Error('the stored data is not a multiple of the block size')
      }
      const decipher = createDecipheriv(algorithm, secret, bytes.subarray(0, CBC_VECTOR))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(CBC_VECTOR)), decipher.final()])
      } catch (cause) {
        throw new Error('invalid padding on input', { cause })
      }
    },
  }
}

function gcmOf(size: number): CipherGCMTypes {
  if (size === 32) return 'aes-256-gcm'
  return size === 24 ? 'aes-192-gcm' : 'aes-128-gcm'
}

/** AES in the mode GCM: the nonce, the encrypted bytes, the tag. The place of the object is authenticated too. */
export function aesGcm(secret: Uint8Array): Provider {
  const algorithm = gcmOf(secret.length)
  return {
    encrypt(bytes, place) {
      const nonce = randomBytes(GCM_NONCE)
      const cipher = createCipheriv(algorithm, secret, nonce)
      cipher.setAAD(Buffer.from(place))
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    },
    decrypt(bytes, place) {
      if (bytes.length < GCM_NONCE + GCM_TAG) {
        throw new Error('the stored data was shorter than the required size')
      }
      const decipher = createDecipheriv(algorithm, secret, bytes.subarray(0, GCM_NONCE))
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(bytes.subarray(-GCM_TAG))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(GCM_NONCE, -GCM_TAG)), decipher.final()])
      } catch (cause) {
        throw new Error('cipher: message authentication failed', { cause })
      }
    },
  }
}
