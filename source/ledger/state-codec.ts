export { jsonCodec } from '../storage/json-codec.js'
export type { CodecReading, StateCodec } from '../storage/state-codec.js'
