import { crc32, inflateRawSync } from 'node:zlib'
import { expect } from 'vitest'

/** Reads the files of a zip archive by its central directory, as browsers do, and checks both of its headers. */
export const unpackZip = (archive: Buffer): Map<string, Buffer> => {
  const end = archive.length - 22
  expect(archive.readUInt32LE(end)).toBe(0x06054b50)
  const files = new Map<string, Buffer>()
  for (let left = archive.readUInt16LE(end + 10), at = archive.readUInt32LE(end + 16); left > 0; left--) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50)
    const [sum, packed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset))
    const nameLength = archive.readUInt16LE(at + 28)
    const local = archive.readUInt32LE(at + 42)
    expect(archive.subarray(local + 4, local + 30)).toEqual(archive.subarray(at + 6, at + 32))
    const start = local + 30 + nameLength
    const content = inflateRawSync(archive.subarray(start, start + (packed ?? 0)))
    expect([content.length, crc32(content)]).toEqual([size, sum])
    files.set(archive.subarray(at + 46, at + 46 + nameLength).toString(), content)
    at += 46 + nameLength
  }
  return files
}
