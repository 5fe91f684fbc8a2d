/** The generated client, and what writes its requests as servers of the interface take them. */
export * from './client/index.js'
export { createWire, type WireOptions } from './wire.ts'
