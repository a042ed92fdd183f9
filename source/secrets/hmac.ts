import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

// Seals over what autopilot wrote itself, so that what somebody else wrote is told apart (docs/evidence.md, "Seal").

/** 32 bytes. */
export type SealKey = Buffer

/**
 * A key of its own for one purpose, such as `trust` or `session <project id>/<workflow>/<slug>`: a seal of one is none
 * of another. The same purpose gives the same key.
 */
export function deriveKey(key: SealKey, purpose: string): SealKey {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `autopilot ${purpose}`, 32))
}

/** HMAC-SHA-256 over the bytes of a text (UTF-8), as 64 hexadecimal digits. */
export function sealOf(key: SealKey, text: string | Buffer): string {
  return createHmac('sha256', preparedOf(key)).update(text).digest('hex')
}

const prepared = new WeakMap<SealKey, KeyObject>()

/** Every line of a journal is sealed with the same key, and to prepare it is a third of the work. */
function preparedOf(key: SealKey): KeyObject {
  const known = prepared.get(key)
  if (known) return known
  const made = createSecretKey(key)
  prepared.set(key, made)
  return made
}

/** True if `seal` is what `sealOf` gives for this text; anything that is no seal at all is false. */
export function sealHolds(key: SealKey, text: string | Buffer, seal: unknown): boolean {
  if (typeof seal !== 'string' || !/^[0-9a-f]{64}$/.test(seal)) return false
  return timingSafeEqual(Buffer.from(sealOf(key, text), 'hex'), Buffer.from(seal, 'hex'))
}
